import { toolPath } from '../../contract/client'
import { makePdf } from '../../contract/documents'

/** A request written byte by byte, and its valid statuses. `cut` if the service may simply disconnect. */
export interface RawRequest {
  what: string
  bytes: (key: string) => string
  may: (number | 'cut')[]
  /** Ends the client's side after the last byte. */
  isHalf?: boolean
}

const TOOL = toolPath('rotate-pdf')
const PDF = makePdf({ pages: 2 }).toString('latin1')
const BASE64 = Buffer.from(PDF, 'latin1').toString('base64')
const FORM = 'multipart/form-data; boundary=B'
const OPTIONS = '{"angle":90}'
const REFUSED: RawRequest['may'] = [413, 415, 422]
const EITHER: RawRequest['may'] = [200, ...REFUSED]

interface Head {
  path?: string
  method?: string
  type?: string
  more?: string
  length?: number | string
  key?: (key: string) => string
}

/** A request with a head. `Content-Length` is correct by default. */
function write(
  body: string,
  {
    path = TOOL,
    method = 'POST',
    type = 'application/json',
    more = '',
    length = body.length,
    key = key => `x-api-key: ${key}\r\n`,
  }: Head = {},
): RawRequest['bytes'] {
  return apiKey =>
    `${method} ${path} HTTP/1.1\r\nHost: ` +
    `127.0.0.1\r\n${key(apiKey)}${type && `Content-Type: ${type}\r\n`}${more}Content-Length: ` +
    `${length}\r\nConnection: close\r\n\r\n${body}`
}

const part = (name: string, value: string, file?: string) =>
  `--B\r\nContent-Disposition: form-data; ` +
  `name="${name}"${file === undefined ? '' : `; filename="${file}"\r\nContent-Type: application/pdf`}\r\n\r\n${value}\r\n`
const file = part('file', PDF, 'a.pdf')
const options = part('options', OPTIONS)
const form = (...parts: string[]) => write(`${parts.join('')}--B--\r\n`, { type: FORM })
const json = (fields: object, head?: Head) =>
  write(JSON.stringify({ file: { name: 'a.pdf', dataBase64: BASE64 }, options: { angle: 90 }, ...fields }), head)
const pages = (text: string) =>
  write(`{"file":{"name":"a.pdf","dataBase64":"${BASE64}"},"options":{"angle":90,"pages":${text}}}`)
const base64 = (data: unknown) => json({ file: { name: 'a.pdf', dataBase64: data } })

const MULTIPART: RawRequest[] = [
  {
    what: 'a form without a boundary',
    bytes: write(`${file}${options}--B--\r\n`, { type: 'multipart/form-data' }),
    may: REFUSED,
  },
  {
    what: 'a form of another boundary',
    bytes: write(`${file}${options}--B--\r\n`, { type: 'multipart/form-data; boundary=Z' }),
    may: REFUSED,
  },
  {
    what: 'a boundary of ten thousand letters',
    bytes: write(`${file}--B--\r\n`, { type: `multipart/form-data; boundary=${'B'.repeat(10_000)}` }),
    may: REFUSED,
  },
  { what: 'a form that is not closed', bytes: write(`${file}${options}`, { type: FORM }), may: REFUSED },
  {
    what: 'a form cut off by its client',
    bytes: write(file, { type: FORM, length: 999_999 }),
    may: [400, ...REFUSED, 'cut'],
    isHalf: true,
  },
  { what: 'an empty form', bytes: write('', { type: FORM }), may: REFUSED },
  {
    what: 'ten thousand parts',
    bytes: form(...Array.from({ length: 10_000 }, (_, index) => part(`p${index}`, 'x')), file, options),
    may: REFUSED,
  },
  {
    what: 'a part whose head is 1 MB',
    bytes: form(
      `--B\r\nX-A: ${'a'.repeat(1_000_000)}\r\nContent-Disposition: form-data; name="file"; ` +
        `filename="a.pdf"\r\n\r\n${PDF}\r\n`,
      options,
    ),
    may: REFUSED,
  },
  {
    what: 'a part of ten thousand headers',
    bytes: form(
      `--B\r\n${'X-A: a\r\n'.repeat(10_000)}Content-Disposition: form-data; name="file"; ` +
        `filename="a.pdf"\r\n\r\n${PDF}\r\n`,
      options,
    ),
    may: REFUSED,
  },
  {
    what: 'a part without a name',
    bytes: form(file, options, '--B\r\nContent-Type: text/plain\r\n\r\nx\r\n'),
    may: EITHER,
  },
  {
    what: 'a disposition that backtracks',
    bytes: form(
      `--B\r\nContent-Disposition: form-data; name="file"; filename="${'\\"'.repeat(50_000)}\r\n\r\n${PDF}\r\n`,
      options,
    ),
    may: REFUSED,
  },
  { what: 'two options', bytes: form(file, options, part('options', '{"angle":180}')), may: REFUSED },
  { what: 'two files for one', bytes: form(file, part('file', 'x', 'b.pdf'), options), may: REFUSED },
  { what: 'options that are no JSON', bytes: form(file, part('options', '{angle:90}')), may: REFUSED },
  { what: 'a file as a text', bytes: form(part('file', 'hello'), options), may: REFUSED },
  {
    what: 'options of 1 MB',
    bytes: form(file, part('options', `{"angle":90,"x":"${'x'.repeat(1_000_000)}"}`)),
    may: REFUSED,
  },
  { what: 'a file of another type', bytes: form(file.replace('application/pdf', 'text/html'), options), may: EITHER },
  { what: 'a part named __proto__', bytes: form(file, options, part('__proto__', '{"polluted":1}')), may: EITHER },
]

const JSON_PROBLEMS: RawRequest[] = [
  ...[
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['half an object', '{"file":'],
    ['a hundred thousand levels', `{"options":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    [
      'two hundred thousand keys',
      `{"options":{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join()}}}`,
    ],
    ['a key twice', '{"options":{},"options":{}}'],
    ['a zero byte', '{"options":"\0"}'],
    ['a lone surrogate', '{"options":"\\ud800"}'],
  ].map(([what, body = '']) => ({ what: `JSON: ${what}`, bytes: write(body), may: REFUSED })),
  {
    what: 'JSON: __proto__ and constructor in the options',
    bytes: write(
      `{"file":{"name":"a.pdf","dataBase64":"${BASE64}"},"options":{"angle":90,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}`,
    ),
    may: REFUSED,
  },
  {
    what: 'JSON: __proto__ beside the options',
    bytes: write(
      `{"file":{"name":"a.pdf","dataBase64":"${BASE64}"},"options":{"angle":90},"__proto__":{"polluted":1}}`,
    ),
    may: EITHER,
  },
  ...[
    ['a text', '"x"'],
    ['a number', '7'],
    ['a list', '[1]'],
  ].map(([what, value = '']) => ({
    what: `options that are ${what}`,
    bytes: json({ options: JSON.parse(value) }),
    may: REFUSED,
  })),
  {
    what: 'an angle beyond all numbers',
    bytes: write(`{"file":{"name":"a.pdf","dataBase64":"${BASE64}"},"options":{"angle":1e400}}`),
    may: REFUSED,
  },
  {
    what: 'files of ten thousand',
    bytes: write(
      JSON.stringify({
        files: Array.from({ length: 10_000 }, () => ({ name: 'a', dataBase64: 'JVBERi0=' })),
        options: {},
      }),
      { path: toolPath('merge-pdf') },
    ),
    may: REFUSED,
  },
  ...[
    '[0]',
    '[-1]',
    '[1.5]',
    '[3]',
    '[1e308]',
    '[1e400]',
    '"1-9007199254740991"',
    `"${'1-'.repeat(50_000)}"`,
    `[${'1,'.repeat(1_000_000)}1]`,
    '"-"',
    '"1,,2"',
    '{"length":1e9}',
  ].map(text => ({ what: `pages ${text.slice(0, 24)}`, bytes: pages(text), may: REFUSED })),
  {
    what: 'a hundred thousand ranges',
    bytes: json(
      { options: { ranges: Array.from({ length: 100_000 }, () => ({ start: 1, end: 1 })) } },
      { path: toolPath('split-pdf') },
    ),
    may: REFUSED,
  },
  ...[
    ['empty', ''],
    ['junk', '@@@@!!!!'],
    ['of another alphabet', '-_-_'.repeat(9)],
    ['a number', 7],
    ['null', null],
    ['a list', [BASE64]],
    ['padding alone', '===='],
    ['with a foreign letter', `${BASE64.slice(0, 40)}*${BASE64.slice(41)}`],
  ].map(([what, data]) => ({ what: `base64: ${String(what)}`, bytes: base64(data), may: REFUSED })),
  { what: 'base64: with white space', bytes: base64(BASE64.replace(/.{76}/g, '$& \r\n\t')), may: [200] },
  { what: 'base64: as a data: URL', bytes: base64(`data:application/pdf;base64,${BASE64}`), may: [200] },
]

const HTTP_PROBLEMS: RawRequest[] = [
  { what: 'a body that says it is of 10 GB', bytes: write('', { type: FORM, length: 1e10 }), may: [413] },
  { what: 'a length of letters', bytes: write('', { length: 'many' }), may: [400] },
  { what: 'a length below zero', bytes: write('', { length: -5 }), may: [400] },
  { what: 'two lengths', bytes: write('', { more: 'Content-Length: 5\r\n', length: 7 }), may: [400] },
  { what: 'a length and chunks', bytes: write('0\r\n\r\n', { more: 'Transfer-Encoding: chunked\r\n' }), may: [400] },
  {
    what: 'chunks in chunks',
    bytes: key =>
      write('', { more: 'Transfer-Encoding: chunked, chunked\r\n' })(key).replace(/Content-Length: \d+\r\n/, ''),
    may: [400],
  },
  { what: 'a header folded over lines', bytes: json({}, { more: 'X-Folded: a\r\n b\r\n' }), may: [200, 400] },
  { what: 'a header of 100 kB', bytes: json({}, { more: `X-Big: ${'a'.repeat(100_000)}\r\n` }), may: [431] },
  {
    what: 'ten thousand headers',
    bytes: json({}, { more: Array.from({ length: 10_000 }, (_, index) => `X-${index}: a\r\n`).join('') }),
    may: [431],
  },
  { what: 'a line feed in a header', bytes: json({}, { more: 'X-A: a\nX-B: b\r\n' }), may: [200, 400] },
  { what: 'a zero byte in a header', bytes: json({}, { more: 'X-A: a\0b\r\n' }), may: [400] },
  { what: 'no host', bytes: key => json({})(key).replace('Host: 127.0.0.1\r\n', ''), may: [400] },
  { what: 'a protocol of the future', bytes: key => json({})(key).replace('HTTP/1.1', 'HTTP/9.9'), may: [400, 505] },
  { what: 'not HTTP at all', bytes: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', may: [400, 'cut'] },
  { what: 'a body that says it is packed', bytes: json({}, { more: 'Content-Encoding: gzip\r\n' }), may: [415] },
  { what: 'a body of plain text', bytes: json({}, { type: 'text/plain' }), may: [415] },
  { what: 'a body of no type', bytes: json({}, { type: '' }), may: [415] },
  {
    what: 'a body of an address line',
    bytes: write('file=a&options=%7B%7D', { type: 'application/x-www-form-urlencoded' }),
    may: [415],
  },
  ...['GET', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'OPTIONS'].map(method => ({
    what: `the method ${method}`,
    bytes: json({}, { method }),
    may: [405],
  })),
  { what: 'the method CONNECT', bytes: write('', { method: 'CONNECT' }), may: [400, 405, 'cut'] },
  { what: 'a method nobody knows', bytes: write('', { method: 'FETCH' }), may: [400] },
  ...['nope', '__proto__', 'constructor', '..%2f..%2fetc', '%00', 'rotate-pdf%2e', '%c0%af', '%'].map(id => ({
    what: `the tool ${id}`,
    bytes: json({}, { path: toolPath(id) }),
    may: [400, 404],
  })),
  { what: 'an absolute address of another host', bytes: json({}, { path: `http://evil.example${TOOL}` }), may: [200] },
  { what: 'a path of two slashes', bytes: json({}, { path: `/${TOOL}` }), may: [308, 400, 404] },
  { what: 'no key', bytes: json({}, { key: () => '' }), may: [401] },
  { what: 'an empty key', bytes: json({}, { key: () => 'x-api-key:\r\n' }), may: [401] },
  { what: 'two keys', bytes: json({}, { key: key => `x-api-key: ${key}\r\nx-api-key: other\r\n` }), may: [401] },
  {
    what: 'a key of another end',
    bytes: json({}, { key: key => `x-api-key: ${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}\r\n` }),
    may: [401],
  },
  {
    what: 'a key with foreign bytes',
    bytes: json({}, { key: key => `x-api-key: ${key}\x80\xff\r\n` }),
    may: [400, 401],
  },
  { what: 'a key of a statement', bytes: json({}, { key: () => "x-api-key: ' or 1=1--\r\n" }), may: [401] },
  {
    what: 'the key in the address',
    bytes: key => json({}, { path: `${TOOL}?x-api-key=${key}`, key: () => '' })(key),
    may: [401],
  },
  { what: 'the key in a cookie', bytes: json({}, { key: key => `Cookie: x-api-key=${key}\r\n` }), may: [401] },
  {
    what: 'x-middleware-subrequest',
    bytes: json(
      {},
      { key: () => `x-middleware-subrequest: ${Array.from({ length: 5 }, () => 'middleware').join(':')}\r\n` },
    ),
    may: [401],
  },
]

/** Errors in HTTP, forms, JSON and base64. */
export const RAW_REQUESTS: RawRequest[] = [...HTTP_PROBLEMS, ...MULTIPART, ...JSON_PROBLEMS]
