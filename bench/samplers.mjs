// Samples the schemas of a contract by a peer: node samplers.mjs SAMPLER CONTRACT.json PLACES.json
// Prints {seconds, values}: the processor time for all places together, and a value or null (with `failed`) for each.
import { readFileSync } from 'node:fs'

const [, , sampler, contractFile, placesFile] = process.argv
const contract = JSON.parse(readFileSync(contractFile, 'utf8'))
const places = JSON.parse(readFileSync(placesFile, 'utf8'))

function follow(root, pointer) {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((node, step) => node[step], root)
}

async function redocly() {
  const { sample } = (await import('openapi-sampler')).default
  const options = {
    READ: { quiet: true, skipReadOnly: true },
    WRITTEN: { quiet: true, skipWriteOnly: true },
  }
  return (place) => sample(follow(contract, place.pointer), options[place.direction], contract)
}

async function scalar() {
  const { getExampleFromSchema } = await import('@scalar/workspace-store/request-example')
  const { createMagicProxy } = await import('@scalar/json-magic/magic-proxy')
  const { upgrade } = await import('@scalar/openapi-upgrader')
  const root = createMagicProxy(upgrade(contract, '3.1'))
  const options = {
    READ: { emptyString: 'string', mode: 'write' },
    WRITTEN: { emptyString: 'string', mode: 'read' },
  }
  return (place) => getExampleFromSchema(follow(root, place.pointer), options[place.direction])
}

const make = await { redocly, scalar }[sampler]()
const began = process.cpuUsage()
const found = places.map((place) => {
  try {
    return { value: make(place) }
  } catch (error) {
    return { failed: String(error).slice(0, 200) }
  }
})
const used = process.cpuUsage(began)
const seconds = (used.user + used.system) / 1e6

function plain(one) {
  try {
    const text = JSON.stringify(one.value)
    return text === undefined ? { failed: 'no value' } : { value: JSON.parse(text) }
  } catch (error) {
    return { failed: String(error).slice(0, 200) }
  }
}
process.stdout.write(JSON.stringify({ seconds, values: found.map((one) => ('failed' in one ? one : plain(one))) }))
