// The changes between two GraphQL schemas by @graphql-inspector/core, counted; its folder comes first.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, released, candidate] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${folder}/node_modules/`));
const { buildSchema } = require("graphql");
const { diff } = require("@graphql-inspector/core");
const sides = [released, candidate].map((file) => buildSchema(readFileSync(file, "utf8"), { assumeValid: true }));
const changes = await diff(...sides);
console.log(JSON.stringify({ changes: changes.length }));
