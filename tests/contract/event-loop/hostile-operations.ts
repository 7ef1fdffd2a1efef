import { type ClientOperation, listClientOperations } from '../../../lib/clients/operations'
import type { JsonSchema } from '../../../lib/docs/json-schema'
import { listOperations } from '../../../lib/operations/all'
import { makeFilesFor } from '../documents'
import { FORM_HEADERS, type HostileRequest, JSON_HEADERS, RAW, writeFormFields, writeJson } from './hostile-request'
import { BLUNT_TEXTS, HOSTILE_TEXTS, type HostileText, SHARP_TEXTS } from './hostile-texts'
import { STRUCTURES, type Structure } from './hostile-structures'
import { type Path, type Place, SchemaReader } from './schema-places'

/** Bodies of this size for most values, and as large as the endpoint allows for one. */
const USUAL_BYTES = 250_000
/** Room for the rest of the body. */
const MARGIN_BYTES = 20_000
/** Single fields are long enough for quadratic work to show. */
const FIELD_LENGTH = 30_000
/** Just below the number of values that a body may have. */
const MOST_VALUES = 90_000
/** A refused request costs no engine job. Unknown fields are refused after everything else was checked. */
const REFUSED = { Prefer: 'handling=strict' }
const REFUSED_FIELD = 'thisFieldIsUnknown'

/** An endpoint with what the table needs. */
interface Target {
  operation: ClientOperation
  reader: SchemaReader
  /** The most bytes of its JSON. */
  maxBytes: number
  /** The options of its first example. */
  base: Record<string, unknown>
}

/** Every hostile body of every endpoint that costs a credit. */
export function* listOperationRequests(): Generator<HostileRequest> {
  for (const target of listTargets()) {
    yield* listFilledBodies(target)
    yield* listLongArrays(target)
    yield* listSingleFields(target)
    yield* listStructures(target)
    yield* listForms(target)
    if (target.operation.hasOptionsField) yield* listAcceptedOptions(target)
  }
}

function listTargets(): Target[] {
  const served = new Map(listOperations().map(operation => [operation.id, operation]))
  return listClientOperations().map(operation => {
    const rules = served.get(operation.path.replace('/api/external/', ''))?.bodyRules
    if (!rules) throw new Error(`No operation has the path ${operation.path}`)
    return {
      operation,
      reader: new SchemaReader(operation.schema),
      maxBytes: rules.maxStructureBytes - MARGIN_BYTES,
      base: operation.examples[0]?.options ?? {},
    }
  })
}

/** The fields of an operation as a JSON request that is refused in the end. */
function writeRequest(
  { operation }: Target,
  { field, value, fields }: { field: string; value: string; fields(): { content: unknown; raw?: string | undefined } },
): HostileRequest {
  return {
    endpoint: operation.id,
    field,
    value,
    path: operation.path,
    headers: { ...JSON_HEADERS, ...REFUSED },
    body: () => {
      const { content, raw } = fields()
      const body = operation.hasOptionsField
        ? { [REFUSED_FIELD]: 1, options: content }
        : { [REFUSED_FIELD]: 1, ...(content as object) }
      return writeJson(body, raw)
    },
  }
}

/** All texts of a body at once: longer than allowed, and as long as allowed. */
function* listFilledBodies(target: Target): Generator<HostileRequest> {
  const { reader, maxBytes } = target
  const places = reader.places.filter(isText)
  const usual = Math.floor(Math.min(USUAL_BYTES, maxBytes) / (places.length + 1))
  for (const text of SHARP_TEXTS) {
    for (let branch = 0; branch < reader.branches; branch++) {
      yield fillTexts(target, { text, branch, lengthOf: () => usual, about: 'too long' })
      yield fillTexts(target, {
        text,
        branch,
        lengthOf: ({ maxLength = usual }) => Math.min(maxLength, usual),
        about: 'allowed',
      })
    }
  }
  for (const text of BLUNT_TEXTS) yield fillTexts(target, { text, branch: 0, lengthOf: () => usual, about: 'too long' })
  const most = Math.floor(maxBytes / (places.length + 1) / 2)
  for (const text of SHARP_TEXTS.slice(0, 2))
    yield fillTexts(target, { text, branch: 0, lengthOf: () => most, about: 'full body' })
}

interface TextFilling {
  text: HostileText
  branch: number
  lengthOf(schema: JsonSchema): number
  about: string
}

function fillTexts(target: Target, { text, branch, lengthOf, about }: TextFilling): HostileRequest {
  const { reader } = target
  return {
    ...writeRequest(target, {
      field: `all texts, branch ${branch}`,
      value: `${text.name}, ${about}`,
      fields: () => ({
        content: reader.writeFilled(reader.root, { branch, text: schema => text.make(lengthOf(schema)) }),
      }),
    }),
    split: () => reader.places.filter(isText).map(place => writeField(target, place, text, FIELD_LENGTH)),
  }
}

/** One array with as many elements as fit, full of hostile texts. */
function* listLongArrays(target: Target): Generator<HostileRequest> {
  const arrays = target.reader.places.filter(({ schema: { type } }) => type === 'array')
  for (const place of arrays)
    for (const text of SHARP_TEXTS.slice(0, 3))
      for (const length of [10, 1000]) yield fillArray(target, place, text, length)
  for (const place of arrays) yield* repeatElements(target, place)
}

/** An array of the example with as many of its elements as allowed, all of them right. */
function* repeatElements(target: Target, { path, schema }: Place): Generator<HostileRequest> {
  const [key] = path
  const elements = path.length === 1 && typeof key === 'string' ? target.base[key] : undefined
  if (!Array.isArray(elements) || elements.length === 0) return
  const count = schema.maxItems ?? 1000
  const fields = () => ({
    content: {
      ...target.base,
      [String(key)]: Array.from({ length: count }, (_, index) => elements[index % elements.length]),
    },
  })
  yield writeRequest(target, { field: writePath(path), value: `${count} elements of the example`, fields })
}

function fillArray(target: Target, { path, schema }: Place, text: HostileText, length: number): HostileRequest {
  const write = () => {
    const filling = { text: ({ maxLength = length }: JsonSchema) => text.make(Math.min(maxLength, length)) }
    const [element] = target.reader.writeFilled(schema, filling) as unknown[]
    const bytes = Buffer.byteLength(JSON.stringify(element)) + 1
    const maxBytes = Math.min(target.maxBytes, 2 * USUAL_BYTES)
    const count = Math.min(Math.floor(maxBytes / bytes), Math.floor(MOST_VALUES / countValues(element)))
    return {
      content: placeIn(
        target,
        path,
        Array.from({ length: count }, () => element),
      ),
    }
  }
  return writeRequest(target, {
    field: writePath(path),
    value: `${text.name}, long array, texts of ${length}`,
    fields: write,
  })
}

/** Every field alone in a valid request, because some checks only run if nothing else is wrong. */
function* listSingleFields(target: Target): Generator<HostileRequest> {
  for (const place of withoutRepetition(target.reader.places.filter(isLeaf))) {
    const { maxLength = FIELD_LENGTH } = place.schema
    for (const text of SHARP_TEXTS.slice(0, 3)) yield writeField(target, place, text, Math.min(maxLength, FIELD_LENGTH))
  }
}

function writeField(target: Target, { path }: Place, text: HostileText, length: number): HostileRequest {
  const fields = () => ({ content: placeIn(target, path, text.make(length)) })
  return writeRequest(target, { field: writePath(path), value: `${text.name}, ${length} characters`, fields })
}

/** Objects, arrays and numbers of impossible sizes in the body and in every container. */
function* listStructures(target: Target): Generator<HostileRequest> {
  for (const structure of STRUCTURES) yield writeStructure(target, [], structure)
  const containers = target.reader.places.filter(place => !isLeaf(place) && place.path.length > 0)
  for (const { path } of withoutRepetition(containers))
    for (const structure of STRUCTURES.filter(({ isUsual }) => isUsual)) yield writeStructure(target, path, structure)
}

function writeStructure(target: Target, path: Path, { name, make, raw }: Structure): HostileRequest {
  const bytes = path.length === 0 ? 2 * USUAL_BYTES : USUAL_BYTES / 2
  const fields = () => ({
    content: path.length === 0 ? asObject(make?.(bytes)) : placeIn(target, path, raw ? RAW : make?.(bytes)),
    raw: raw?.(bytes),
  })
  return writeRequest(target, { field: writePath(path), value: name, fields })
}

/** Form fields: each text in all fields, fields that are sent twice, and fields that are sent very often. */
function* listForms(target: Target): Generator<HostileRequest> {
  const { operation, reader } = target
  const names = operation.hasOptionsField ? ['options'] : Object.keys(reader.root.properties ?? {})
  const twice = names.slice(0, 45).flatMap(name => [name, name])
  const texts = operation.hasOptionsField ? SHARP_TEXTS : HOSTILE_TEXTS
  for (const text of texts) yield writeFormRequest(target, names, text)
  if (operation.hasOptionsField) return
  for (const text of texts) yield writeFormRequest(target, twice, text)
  for (const name of names)
    for (const text of SHARP_TEXTS.slice(0, 3))
      yield writeFormRequest(
        target,
        Array.from({ length: 90 }, () => name),
        text,
      )
}

function writeFormRequest(
  { operation }: Pick<Target, 'operation'>,
  names: string[],
  text: HostileText,
): HostileRequest {
  const different = [...new Set(names)]
  const fields = different.length === 1 ? String(different[0]) : 'all fields'
  return {
    endpoint: `${operation.id} form`,
    field: names.length === different.length ? fields : `${fields}, ${names.length / different.length} times`,
    value: text.name,
    path: operation.path,
    headers: { ...FORM_HEADERS, ...REFUSED },
    body: () => {
      const value = text.make(Math.min(FIELD_LENGTH, (4 * USUAL_BYTES) / names.length))
      return writeFormFields([...names.map(name => [name, value] as const), [REFUSED_FIELD, '1']])
    },
    ...(different.length > 1 && {
      split: () =>
        different.map(name =>
          writeFormRequest(
            { operation },
            names.filter(one => one === name),
            text,
          ),
        ),
    }),
  }
}

/** Options that may be accepted, with the files of the tool, so that the steps after the validation run too. */
function* listAcceptedOptions(target: Target): Generator<HostileRequest> {
  const { operation, reader } = target
  const files = makeFilesFor(operation.id).map(({ name, bytes }) => ({ name, dataBase64: bytes.toString('base64') }))
  const sent = operation.files === 'many' ? { files } : { file: files[0] }
  for (const { path, schema } of reader.places.filter(isText)) {
    const options = placeIn(target, path, 'a'.repeat(Math.min(schema.maxLength ?? FIELD_LENGTH, FIELD_LENGTH)))
    yield {
      endpoint: operation.id,
      field: `${writePath(path)} and files`,
      value: 'letters as long as allowed',
      path: operation.path,
      headers: { ...JSON_HEADERS, 'idempotency-key': `${operation.id} ${writePath(path)}` },
      body: () => JSON.stringify({ ...sent, options }),
    }
  }
}

/** A valid body in which one place has another value. */
function placeIn({ reader, base }: Target, path: Path, value: unknown): unknown {
  const written = reader.writeAt(reader.root, path, value)
  return path.length === 0 ? written : { ...base, ...(written as object) }
}

function isText({ schema }: Place): boolean {
  return schema.type === 'string' && schema.enum === undefined && schema.const === undefined
}

function isLeaf({ schema }: Place): boolean {
  return schema.type !== 'object' && schema.type !== 'array'
}

/** A place with several kinds of values once. */
function withoutRepetition(places: readonly Place[]): Place[] {
  return [...new Map(places.map(place => [writePath(place.path), place])).values()]
}

function asObject(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { options: value }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1)
}

function writePath(path: Path): string {
  return path.length === 0
    ? '(body)'
    : path
        .map(key => (typeof key === 'number' ? '[]' : `.${key}`))
        .join('')
        .slice(1)
}
