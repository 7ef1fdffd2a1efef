import { describe, expect, it } from 'vitest'
import type { Body, BodyRules } from '../../../lib/body/body'
import { createRefusal } from '../../../lib/refusal'
import { createMultipartReader } from '../../../lib/body/multipart-body'

const RULES: BodyRules = {
  fileFields: ['file', 'files'],
  jsonFields: ['options'],
  textFields: ['options', 'note'],
  listFields: ['rows'],
  maxStructureBytes: 1e6,
  maxFieldBytes: 1000,
}
const refuse = (message: string, param?: string) =>
  createRefusal('pdf_tool_processing_failed', [{ message, ...(param ? { param } : {}) }])

interface ReadOptions {
  type?: string
  pieceLength?: number
}

async function read(
  text: string,
  { type = 'multipart/form-data; boundary=b', pieceLength = text.length || 1 }: ReadOptions = {},
): Promise<Body> {
  const reader = createMultipartReader(type, RULES, { maxFiles: 3, maxParts: 5, refuse })
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += pieceLength)
    reader.write(bytes.subarray(start, start + pieceLength))
  return reader.end()
}

const part = (name: string, content: string, fileName?: string) =>
  `--b\r\nContent-Disposition: form-data; ` +
  `name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n\r\n${content}\r\n`
const END = '--b--\r\n'
const PDF = '%PDF-1.7\r\n--not a boundary\r\n\r\n-%%EOF'

function contents(body: Body): unknown {
  return {
    fields: { ...body.fields },
    files: body.files.map(({ field, name, chunks }) => [field, name, Buffer.concat(chunks).toString()]),
  }
}

describe('the multipart reader', () => {
  const form = part('file', PDF, 'Żółć.pdf') + part('options', '{"angle": 90}') + END
  const expected = { fields: { options: { angle: 90 } }, files: [['file', 'Żółć.pdf', PDF]] }

  it('reads a file and options, split into chunks of any length', async () => {
    for (let pieceLength = 1; pieceLength < Buffer.byteLength(form); pieceLength++) {
      expect(contents(await read(form, { pieceLength }))).toEqual(expected)
    }
  })

  it('keeps the order of several files and the names as they were sent', async () => {
    const body = await read(part('files', '1', '../../etc/passwd.pdf') + part('files', '2', 'b.pdf') + END)
    expect(contents(body)).toEqual({
      fields: {},
      files: [
        ['files', '../../etc/passwd.pdf', '1'],
        ['files', 'b.pdf', '2'],
      ],
    })
  })

  it('takes the name in filename* if there is one', async () => {
    const body = await read(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"; ` +
        `filename*=UTF-8''%E5%A0%B1.pdf\r\n\r\nx\r\n${END}`,
    )
    expect(body.files[0]?.name).toBe('報.pdf')
  })

  it('reads text fields from parts with a file name', async () => {
    const body = await read(part('options', '\uFEFF{"angle": 90}', 'blob') + part('note', 'größer', 'note.txt') + END)
    expect(contents(body)).toEqual({ fields: { options: { angle: 90 }, note: 'größer' }, files: [] })
    await expect(read(part('options', '{"angle": ', 'blob') + END)).rejects.toThrowError(/^options: /)
    await expect(read(part('note', 'x'.repeat(1025), 'blob') + END)).rejects.toThrowError(
      /^note: must be at most 1000 bytes/,
    )
    await expect(read(part('note', 'x', 'blob') + part('note', 'y') + END)).rejects.toThrowError(/^note: .*twice/)
  })

  it('joins repeated fields that are lists', async () => {
    const body = await read(part('rows', 'a') + part('rows', 'b') + part('rows', 'c') + END)
    expect(body.fields['rows']).toEqual(['a', 'b', 'c'])
    expect((await read(part('rows', 'a') + END)).fields['rows']).toBe('a')
  })

  it('decodes quotes and line breaks in names, as browsers encode them', async () => {
    const body = await read(part('file', 'x', 'say %22hello%22 100%25%0D%0A.pdf') + END)
    expect(body.files[0]?.name).toBe('say "hello" 100%25\r\n.pdf')
  })

  it('ignores an empty options part', async () => {
    expect((await read(part('file', 'x', 'a.pdf') + part('options', ' ') + END)).fields.options).toBeUndefined()
  })

  it('accepts as many files as allowed and, in addition, as many fields', async () => {
    const fields = [1, 2, 3, 4, 5].map(n => part(`f${n}`, 'x')).join('')
    const files = [1, 2, 3].map(() => part('files', 'x', 'a')).join('')
    for (const text of [fields + files, files + fields]) {
      const body = await read(text + END)
      expect(body.files).toHaveLength(3)
      expect(Object.keys(body.fields)).toHaveLength(5)
    }
  })

  it.each([
    ['no end boundary', part('file', 'x', 'a.pdf') + part('options', '{}'), /must end with its closing boundary/],
    [
      'a truncated file',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 and then noth',
      /must end with its closing boundary/,
    ],
    ['an empty body', '', /must end with its closing boundary/],
    [
      'a different boundary',
      part('file', 'x', 'a.pdf').replaceAll('--b', '--c') + '--c--\r\n',
      /must end with its closing boundary/,
    ],
    ['two options parts', part('options', '{}') + part('options', '{}') + END, /^options: was sent twice/],
    ['a file as a text field', part('file', 'hello') + END, /^file: must be a file part/],
    ["options that aren't JSON", part('options', '{angle:90}') + END, /^options: .*isn't valid JSON/],
    ['options that are too large', part('options', ' '.repeat(1001)) + END, /^options: must be at most 1000 bytes/],
    ['text that is not UTF-8', part('x', '\ufffd') + END, /^x: isn't valid UTF-8/],
    ['a part without a name', `--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n${END}`, /must have a name/],
    [
      'too many fields',
      Array.from({ length: 10_000 }, (_, i) => part(`p${i}`, 'x')).join('') + END,
      /at most 5 form fields/,
    ],
    [
      'one field too many',
      Array.from({ length: 6 }, (_, i) => part(`p${i}`, 'x')).join('') + END,
      /at most 5 form fields/,
    ],
    ['too many files', [1, 2, 3, 4].map(() => part('files', 'x', 'a')).join('') + END, /at most 3 files/],
    ['a huge part header', part('n'.repeat(1 << 20), 'x') + END, /at most 16 KB/],
  ])('refuses %s', async (_, text, message) => {
    await expect(read(text)).rejects.toThrowError(message)
    await expect(read(text, { pieceLength: 4096 })).rejects.toThrowError(message)
  })

  it('refuses a Content-Type without a boundary', async () => {
    await expect(read('x', { type: 'multipart/form-data' })).rejects.toThrowError(/must have the multipart boundary/)
  })

  it('reads a form with a boundary in quotes', async () => {
    const body = await read(form.replaceAll('--b', '--b c'), { type: 'multipart/form-data; boundary="b c"' })
    expect(contents(body)).toEqual(expected)
  })

  it('keeps __proto__ as a plain field', async () => {
    const body = await read(part('__proto__', 'x') + END)
    expect(Object.keys(body.fields)).toEqual(['__proto__'])
  })
})
