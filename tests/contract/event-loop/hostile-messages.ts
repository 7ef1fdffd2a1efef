import { listClientOperations } from '../../../lib/clients/operations'
import { BOUNDARY } from '../client'
import { FORM_HEADERS, type HostileRequest, JSON_HEADERS, writeJson, writePart } from './hostile-request'
import { SHARP_TEXTS } from './hostile-texts'
import { STRUCTURES } from './hostile-structures'
import { SchemaReader } from './schema-places'

/** Larger messages of MCP need a key. */
const OPEN_BYTES = 60_000
const KEYED_BYTES = 1_900_000
const PARTS_BYTES = 1_000_000
const MCP_HEADERS = { ...JSON_HEADERS, accept: 'application/json, text/event-stream' }

/** Messages of agents: sizes and shapes of the message itself, and hostile arguments of every tool. */
export function* listMcpRequests(): Generator<HostileRequest> {
  for (const bytes of [OPEN_BYTES, KEYED_BYTES])
    for (const { name, make, raw } of STRUCTURES) {
      const content = () => raw?.(bytes) ?? JSON.stringify(make?.(bytes))
      yield send('message', `${name}, ${bytes} bytes`, content)
      for (const field of ['id', 'method', 'params'])
        yield send(field, `${name}, ${bytes} bytes`, () => writeMessage(field, content()))
      yield send('arguments', `${name}, ${bytes} bytes`, () =>
        writeMessage('params', `{"name":"rotate_pdf","arguments":${content()}}`),
      )
    }
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  for (const bytes of [OPEN_BYTES, KEYED_BYTES])
    yield send(
      'batch',
      `${bytes} bytes`,
      () => `[${Array.from({ length: bytes / (ping.length + 1) }, () => ping).join()}]`,
    )
  for (const { id, schema, hasOptionsField } of listClientOperations()) {
    const reader = new SchemaReader(schema)
    for (const text of SHARP_TEXTS.slice(0, 3)) {
      const options = () => reader.writeFilled(reader.root, { text: () => text.make(2000) })
      const body = () => JSON.stringify({ name: id.replaceAll('-', '_'), arguments: { options: options() } })
      yield send(hasOptionsField ? `${id} options` : id, text.name, () => writeMessage('params', body()))
    }
  }
}

function send(field: string, value: string, body: () => string): HostileRequest {
  return { endpoint: 'mcp', field, value, path: '/mcp', headers: MCP_HEADERS, body }
}

function writeMessage(field: string, json: string): string {
  return writeJson({ jsonrpc: '2.0', id: 1, method: 'tools/call', [field]: '@raw@' }, json)
}

/** Multipart bodies whose form is hostile: parts, their headers, and contents that resemble boundaries. */
export function* listMultipartRequests(): Generator<HostileRequest> {
  for (const { id: endpoint, path } of pickEndpoints()) {
    const body = (field: string, write: () => Buffer): HostileRequest => ({
      endpoint,
      field: 'multipart',
      value: field,
      path,
      headers: FORM_HEADERS,
      body: () => Buffer.concat([write(), Buffer.from(`--${BOUNDARY}--\r\n`)]),
    })
    const many = (part: Buffer) => Buffer.concat(Array.from({ length: PARTS_BYTES / part.length }, () => part))
    yield body('many parts', () => many(writePart('name="a"', '')))
    yield body('many parts with the same field', () => many(writePart('name="options"', '{}')))
    yield body('many files', () => many(writePart('name="file"; filename="a"', '')))
    yield body('parts without names', () => many(Buffer.from(`--${BOUNDARY}\r\n\r\n\r\n`)))
    for (const { name, make } of SHARP_TEXTS) {
      yield body(`file names of ${name}`, () => many(writePart(`name="file"; filename="${make(10_000)}"`, 'a')))
      yield body(`part names of ${name}`, () => many(writePart(`name="${make(10_000)}"`, 'a')))
      yield body(`parameters of ${name}`, () => many(writePart(make(10_000), 'a')))
      yield body(`part headers of ${name}`, () => many(writePart('name="a"', 'a', `Content-Type: ${make(10_000)}\r\n`)))
    }
    for (const unit of ['\r', '\n', '\r\n', '\r\n-', '\r\n--', `\r\n--${BOUNDARY.slice(0, -1)}`])
      yield body(`content of ${JSON.stringify(unit)}`, () =>
        writePart('name="file"; filename="a"', unit.repeat(PARTS_BYTES / unit.length)),
      )
  }
}

/** A tool, the web pages and the invoices. */
function pickEndpoints() {
  const [tool, ...others] = listClientOperations()
  return [tool, ...others.filter(({ hasOptionsField }) => !hasOptionsField)].flatMap(one => one ?? [])
}

/** Endpoints that a session or nobody authenticates. They share the checks of the endpoints with a key. */
export function* listOtherEntrances(): Generator<HostileRequest> {
  const paths = [
    '/api/account/playground/pdf-tools/page-numbers',
    '/api/account/playground/invoice-generator/pdf',
    '/api/try/pdf-redaction',
  ]
  for (const path of paths)
    for (const { name: value, make, raw } of STRUCTURES) {
      const bytes = path.startsWith('/api/try') ? 15_000 : PARTS_BYTES / 2
      const content = () => raw?.(bytes) ?? JSON.stringify(make?.(bytes))
      const base = { endpoint: path, value, path, headers: JSON_HEADERS }
      yield { ...base, field: 'body', body: content }
      yield { ...base, field: 'options', body: () => `{"options":${content()}}` }
    }
}
