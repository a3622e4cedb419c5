// The peer on two AsyncAPI files: node asyncapi_diff.mjs FOLDER RELEASED CANDIDATE; its changes as JSON on standard output.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const [folder, released, candidate] = process.argv.slice(2);
const require = createRequire(resolve(folder, "package.json"));
const { diff } = require("@asyncapi/diff");
const yaml = require("js-yaml");
const [before, after] = [released, candidate].map((file) => yaml.load(readFileSync(file, "utf8")));
process.stdout.write(JSON.stringify(diff(before, after).getOutput()));
