import { describe, expect, it } from 'vitest'
import type { Body, BodyRules } from '../../../lib/body/body'
import { createRefusal } from '../../../lib/refusal'
import { createJsonReader, parseJsonField } from '../../../lib/body/json-body'

const RULES: BodyRules = {
  fileFields: ['file', 'files'],
  jsonFields: ['options'],
  textFields: ['options'],
  listFields: [],
  maxStructureBytes: 64 * 1024,
  maxFieldBytes: 1024,
}
const refuse = (message: string, param?: string) =>
  createRefusal('pdf_tool_processing_failed', [{ message, ...(param ? { param } : {}) }])

async function read(text: string | Uint8Array, cuts: number[] = []): Promise<Body> {
  const reader = createJsonReader(RULES, { maxFiles: 3, maxParts: 3, findUrlProblem: () => undefined }, refuse)
  const bytes = Buffer.from(text)
  const ends = [...cuts, bytes.length]
  ends.forEach((end, index) => reader.write(bytes.subarray(ends[index - 1] ?? 0, end)))
  return reader.end()
}

function contents(body: Body): unknown {
  return {
    fields: { ...body.fields },
    files: body.files.map(({ field, name, chunks }) => [field, name, Buffer.concat(chunks).toString('latin1')]),
  }
}

const file = (text: string, name = 'a.pdf') => ({ name, dataBase64: Buffer.from(text, 'latin1').toString('base64') })

describe('the JSON reader', () => {
  const samples: Record<string, [string, unknown]> = {
    'a file and options': [
      JSON.stringify({
        file: file('%PDF-1.7 \xff\x00'),
        options: { angle: 90, pages: [1, 2.5e1, -3], note: 'ż "x" \\ \n', flags: [true, false, null] },
      }),
      {
        fields: { options: { angle: 90, pages: [1, 25, -3], note: 'ż "x" \\ \n', flags: [true, false, null] } },
        files: [['file', 'a.pdf', '%PDF-1.7 \xff\x00']],
      },
    ],
    'several files, indented': [
      JSON.stringify({ options: {}, files: [file('one', 'Żółć.pdf'), file('second', 'b')] }, null, 2),
      {
        fields: { options: {} },
        files: [
          ['files', 'Żółć.pdf', 'one'],
          ['files', 'b', 'second'],
        ],
      },
    ],
    'base64 with escapes, prefix and line breaks': [
      '{"file":{"dataBase64":"data:application\\/pdf;base64,\\u002f\\/\\r\\n8A\n\\u0041 A=\\u003D","name":"a\\u0062"}}',
      { fields: {}, files: [['file', 'ab', '\xff\xff\x00\x00']] },
    ],
    'a key that is spelled with escapes': [
      '{"file":{"n\\u0061me":"a","data\\u0042ase64":"AAAA"}}',
      { fields: {}, files: [['file', 'a', '\0\0\0']] },
    ],
    'text that looks like the key': [
      '{"a":"dataBase64","b":["dataBase64","x"],"dataBase64x":"y"}',
      { fields: { a: 'dataBase64', b: ['dataBase64', 'x'], dataBase64x: 'y' }, files: [] },
    ],
    'base64 outside of the file fields': [
      '{"options":{"image":{"name":"i","dataBase64":"data:;base64,QUJD\\nRA=="}}}',
      { fields: { options: { image: { name: 'i', dataBase64: 'QUJDRA==' } } }, files: [] },
    ],
    'no files': ['{"file":null,"files":[]}', { fields: {}, files: [] }],
    'a byte order mark': ['\ufeff{"a":1}', { fields: { a: 1 }, files: [] }],
  }

  it.each(Object.entries(samples))('reads %s, split anywhere', async (_, [text, expected]) => {
    const bytes = Buffer.from(text)
    expect(contents(await read(bytes))).toEqual(expected)
    for (let cut = 1; cut < bytes.length; cut++) expect(contents(await read(bytes, [cut]))).toEqual(expected)
    expect(
      contents(
        await read(
          bytes,
          Array.from({ length: bytes.length - 1 }, (_unused, index) => index + 1),
        ),
      ),
    ).toEqual(expected)
  })

  it.each([
    ['an empty body', '', /empty/],
    ['white space', '  \n', /empty/],
    ['broken JSON', '{"file": ', /truncated/],
    ['an unterminated string', '{"file": "abc', /middle of a string/],
    ['unterminated base64', '{"file": {"dataBase64": "AAAA', /middle of a string/],
    ['two values', '{"a":1} {"b":2}', /isn't valid JSON/],
    ['numbers with a gap', '{"a":1 2}', /isn't valid JSON/],
    ['a control character', '\0\0\0', /control character/],
    ['other text', 'hello world', /isn't valid JSON/],
    ['a list, at its first byte', ' [{{', /JSON object\. Got an array/],
    ['null', 'null', /JSON object\. Got null/],
    ['a file that is text', '{"file":"AAAA"}', /^file: must be an object .* Got a string/],
    ['a file without name', '{"file":{"dataBase64":"AAAA"}}', /^file\.name: is required and must be .*string/],
    ['a file without content', '{"file":{"name":"a"}}', /^file\.dataBase64: is required and must be .*base64/],
    ['a number as content', '{"file":{"name":"a","dataBase64":0}}', /^file\.dataBase64: must be .* Got a number/],
    [
      'bad base64',
      '{"files":[{"name":"a","dataBase64":"AAAA"},{"name":"b","dataBase64":"A*AA"}]}',
      /^files\[1\]\.dataBase64: isn't valid base64\. Got "\*"/,
    ],
    [
      'bad base64 in the options',
      '{"options":{"image":{"dataBase64":"A*AA"}}}',
      /^options\.image\.dataBase64: isn't valid base64/,
    ],
    [
      'an invalid escape in base64',
      '{"file":{"name":"a","dataBase64":"AA\\"AA"}}',
      /^file\.dataBase64: isn't valid base64/,
    ],
    [
      'an invalid character code in base64',
      '{"file":{"name":"a","dataBase64":"AA\\u00e9A"}}',
      /^file\.dataBase64: isn't valid base64/,
    ],
    ['files as an object', '{"files":{"name":"a"}}', /^files: must be an array/],
    ['too many files', JSON.stringify({ files: [1, 2, 3, 4].map(() => file('x')) }), /at most 3 files/],
    ['deep nesting', `{"a":${'['.repeat(100_000)}`, /at most 32 levels deep/],
    ['too much data besides the files', JSON.stringify({ a: 'x'.repeat(70_000) }), /at most 65536 bytes/],
  ])('refuses %s', async (_, text, message) => {
    await expect(read(text)).rejects.toThrowError(message)
    await expect(read(text, [Math.floor(text.length / 2)])).rejects.toThrowError(message)
  })

  it('refuses more values than the limit', () => {
    const reader = createJsonReader(
      { ...RULES, maxStructureBytes: 10e6 },
      { maxFiles: 3, maxParts: 3, findUrlProblem: () => undefined },
      refuse,
    )
    expect(() => reader.write(Buffer.from(JSON.stringify({ a: Array(100_001).fill(1) })))).toThrowError(
      /at most 100000 values/,
    )
  })

  it('refuses more different names than the limit, in whatever objects, but not more equal ones', async () => {
    const write = (name: (index: number) => string) =>
      JSON.stringify({ list: Array.from({ length: 20_002 }, (_, index) => ({ [name(index >> 1)]: 1 })) })
    const send = (text: string) => {
      const reader = createJsonReader(
        { ...RULES, maxStructureBytes: 10e6 },
        { maxFiles: 3, maxParts: 3, findUrlProblem: () => undefined },
        refuse,
      )
      reader.write(Buffer.from(text))
      return reader.end()
    }
    expect(() => send(write(index => `n${index}`))).toThrowError(/at most 10000 different names/)
    expect(Object.keys((await send(write(index => `n${index % 9000}`))).fields)).toEqual(['list'])
  })

  it('refuses bytes that are not UTF-8', async () => {
    await expect(read(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))).rejects.toThrowError(/UTF-8/)
  })

  it('keeps __proto__ and constructor as plain keys', async () => {
    const body = await read(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"file":{"name":"a","dataBase64":"AAAA"}}',
    )
    expect(Object.keys(body.fields)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('counts neither files nor white space as structure', async () => {
    const body = await read(`${' '.repeat(100_000)}${JSON.stringify({ file: file('x'.repeat(200_000)) })}`)
    expect(body.files[0]?.byteLength).toBe(200_000)
  })

  it('does not let text forge the position of a file', async () => {
    const body = await read('{"a":"0","file":{"name":"0","dataBase64":"AAAA"},"b":{"x":"0"}}')
    expect(contents(body)).toEqual({ fields: { a: '0', b: { x: '0' } }, files: [['file', '0', '\0\0\0']] })
  })
})

describe('a JSON field of a form', () => {
  const FIELD = { param: 'options', maxStructureBytes: 1000, refuse }

  it('is read within the limits of a body', async () => {
    expect(await parseJsonField('{"angle": 90}', FIELD)).toEqual({ angle: 90 })
    await expect(parseJsonField('{"angle": ', FIELD)).rejects.toThrowError(/^options: the JSON is truncated/)
    await expect(parseJsonField('['.repeat(50), FIELD)).rejects.toThrowError(/^options: .*at most 32 levels deep/)
    await expect(parseJsonField(`{"a": "${'x'.repeat(1000)}"}`, FIELD)).rejects.toThrowError(
      /^options: the JSON must be at most 1000 bytes without its files/,
    )
  })

  it('may contain files beyond its size', async () => {
    const dataBase64 = Buffer.alloc(3000).toString('base64')
    expect(await parseJsonField(JSON.stringify({ image: { name: 'a.png', dataBase64 } }), FIELD)).toEqual({
      image: { name: 'a.png', dataBase64 },
    })
  })
})
