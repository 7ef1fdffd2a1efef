import { setImmediate } from 'node:timers/promises'
import type { Base64Decoder } from './base64-decoder'
import type { Body, BodyFile, BodyLimits, BodyReader, BodyRules, Refuse, Remote } from './body'
import { describeSentInstead, writeByteLimit } from '../refusal'
import { JsonScanner } from './json-scanner'

/** Maximum bytes of a `dataBase64` outside of the file fields, which stays part of the options. */
const MAX_INLINE_BYTES = 10 * 2 ** 20

/** Reads a JSON body. FileInput objects in the operation's file fields become files. */
export function createJsonReader(rules: BodyRules, limits: BodyLimits, refuse: Refuse): BodyReader {
  const { maxStructureBytes, longFields, maxLongBytes } = rules
  const scanner = new JsonScanner(
    { isObject: true, maxStructureBytes, longFields, maxLongBytes, maxFiles: limits.maxFiles },
    refuse,
  )
  return {
    write: chunk => scanner.write(chunk),
    end: () => buildBody(scanner, rules, { ...limits, refuse }),
  }
}

/** Bytes that are read without a pause, so that a long text doesn't delay other requests. */
const STRETCH_BYTES = 256 * 1024

/**
 * Parses a field's JSON text within the same limits of size, depth and values as a body. `param` is its name in errors.
 */
export async function parseJsonField(
  text: string,
  { param, maxStructureBytes, refuse }: { param: string; maxStructureBytes: number; refuse: Refuse },
): Promise<unknown> {
  const refuseField: Refuse = message =>
    refuse(message.replace(/^The JSON/, 'the JSON').replace(/^The body/, 'the text'), param)
  const scanner = new JsonScanner({ maxStructureBytes, maxFiles: 100 }, refuseField)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += STRETCH_BYTES) {
    if (at > 0) await setImmediate()
    scanner.write(bytes.subarray(at, at + STRETCH_BYTES))
  }
  const parsed = scanner.end()
  await restore({ [param]: parsed }, { decoders: scanner.decoders, refuse })
  return parsed
}

interface Restoring {
  decoders: Base64Decoder[]
  refuse: Refuse
}

interface ReadingFiles extends Restoring, Pick<BodyLimits, 'maxFiles' | 'findUrlProblem'> {}

async function buildBody(
  scanner: JsonScanner,
  rules: BodyRules,
  { refuse, maxFiles, findUrlProblem }: Omit<ReadingFiles, 'decoders'>,
): Promise<Body> {
  const parsed = scanner.end()
  await setImmediate()
  if (!isObject(parsed)) throw refuse(`The body must be a JSON object. Got ${describeKind(parsed)}.`)
  const restoring = { decoders: scanner.decoders, refuse, maxFiles, findUrlProblem }
  const body: Body = { encoding: 'json', fields: Object.create(null) as Record<string, unknown>, files: [] }
  for (const [key, value] of Object.entries(parsed)) {
    if (rules.fileFields.includes(key)) body.files.push(...readFiles(key, value, restoring))
    else if (typeof value === 'string' && rules.longFields?.includes(key) === true)
      body.fields[key] = scanner.longTexts[Number(value)]
    else body.fields[key] = value
  }
  if (body.files.length > maxFiles) throw refuse(`The request must have at most ${maxFiles} files.`)
  const decoded = body.files.filter(({ remote }) => !remote).length
  if (decoded < scanner.decoders.length) await restore(body.fields, restoring)
  return body
}

/** Reads `file` (one FileInput) or `files` (an array of them). Null counts as not sent. */
function readFiles(field: string, value: unknown, reading: ReadingFiles): BodyFile[] {
  if (value === null) return []
  const isList = field.endsWith('s')
  if (!isList) return [readFile(field, value, { field, ...reading })]
  if (!Array.isArray(value))
    throw reading.refuse(`must be an array of ${FILE_FORMS} objects. Got ${describeKind(value)}.`, field)
  return value.map((item, index) => readFile(`${field}[${index}]`, item, { field, ...reading }))
}

const FILE_FORMS = '{"name", "dataBase64"} or {"name", "url"}'

function readFile(param: string, value: unknown, reading: ReadingFiles & { field: string }): BodyFile {
  const { field, decoders, refuse, findUrlProblem } = reading
  if (!isObject(value)) throw refuse(`must be an object ${FILE_FORMS}. Got ${describeKind(value)}.`, param)
  const { name, dataBase64, url, ...others } = value
  const instead = (member: string) =>
    value[member] === undefined ? describeSentInstead(Object.keys(others), member) : ''
  if (typeof name !== 'string')
    throw refuse(describeText('the file name as a string', name) + instead('name'), `${param}.name`)
  const otherMembers = Object.keys(others).map(key => `${param}.${key}`)
  const file = { field, name, ...(otherMembers.length > 0 ? { otherMembers } : {}) }
  if (url !== undefined && url !== null) {
    const remote = { url, param: `${param}.url` }
    if (!isRemote(remote)) throw refuse(describeText('the URL of the file as a string', url), remote.param)
    if (dataBase64 !== undefined && dataBase64 !== null)
      throw refuse('was sent together with "dataBase64". Send only one of them.', remote.param)
    const problem = findUrlProblem(remote.url)
    if (problem !== undefined) throw refuse(problem, remote.param)
    return { ...file, chunks: [], byteLength: 1, remote }
  }
  const decoder = typeof dataBase64 === 'string' ? decoders[Number(dataBase64)] : undefined
  if (!decoder)
    throw refuse(describeText('the file as a base64 string', dataBase64) + instead('dataBase64'), `${param}.dataBase64`)
  if (decoder.problem !== undefined) throw refuse(decoder.problem, `${param}.dataBase64`)
  return { ...file, chunks: decoder.chunks, byteLength: decoder.byteLength }
}

function isRemote(remote: { url: unknown; param: string }): remote is Remote {
  return typeof remote.url === 'string'
}

/** Restores base64 texts outside of file fields, in place. Other requests run between two of them. */
async function restore(fields: Record<string, unknown>, restoring: Restoring): Promise<void> {
  let isFirst = true
  for (const { holder, path } of findEncoded(fields, [])) {
    if (!isFirst) await setImmediate()
    isFirst = false
    holder['dataBase64'] = encodeBase64(String(holder['dataBase64']), restoring, path)
  }
}

interface Encoded {
  holder: Record<string, unknown>
  /** The place of the text, such as `options.image.dataBase64`. */
  path: string
}

/** Returns the objects with a base64 text. `keys` is their place, which is only written for such an object. */
function findEncoded(value: object, keys: (string | number)[]): Encoded[] {
  const found: Encoded[] = []
  const visit = (member: unknown, key: string | number) => {
    if (typeof member !== 'object' || member === null) return
    keys.push(key)
    found.push(...findEncoded(member, keys))
    keys.pop()
  }
  if (Array.isArray(value)) value.forEach(visit)
  else {
    const holder = value as Record<string, unknown> // It isn't an array.
    for (const [key, member] of Object.entries(holder)) {
      if (key === 'dataBase64' && typeof member === 'string' && keys.length > 0)
        found.push({ holder, path: writeKeys([...keys, key]) })
      else visit(member, key)
    }
  }
  return found
}

function writeKeys(keys: (string | number)[]): string {
  return keys.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  )
}

function encodeBase64(number: string, { decoders, refuse }: Restoring, param: string): string {
  const decoder = decoders[Number(number)]
  if (!decoder) throw new Error(`No decoded value ${number}`)
  if (decoder.problem !== undefined) throw refuse(decoder.problem, param)
  if (decoder.byteLength > MAX_INLINE_BYTES)
    throw refuse(`must be at most ${writeByteLimit(MAX_INLINE_BYTES)}. Got ${decoder.byteLength} bytes.`, param)
  return Buffer.concat(decoder.chunks).toString('base64')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describeText(rule: string, value: unknown): string {
  return value === undefined ? `is required and must be ${rule}.` : `must be ${rule}. Got ${describeKind(value)}.`
}

function describeKind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
