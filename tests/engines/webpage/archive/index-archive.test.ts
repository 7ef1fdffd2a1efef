import JSZip from 'jszip'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { indexArchive } from '../../../../engines/webpage/archive/index-archive'
import { openArchive } from '../../../../engines/webpage/archive/open-archive'
import { extraField, writeEnd64, writeZip } from '../../../fixtures/zip-writer'
import type { ZipDraft } from '../../../fixtures/zip-writer'

async function zip(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = new JSZip()
  for (const [name, content] of Object.entries(files)) archive.file(name, content, { createFolders: false })
  return archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' })
}

const refused = (reason: string, message: RegExp) =>
  expect.objectContaining({
    reason,
    message: expect.stringMatching(message) as string,
    problems: [expect.objectContaining({ param: 'file' })],
  }) as Error

const PAGE: ZipDraft = { name: 'index.html', content: '<p>PAGE</p>' }
const STYLE: ZipDraft = { name: 'a.css', content: 'p { color: red }'.repeat(20) }
const UNSET = 0xffffffff

/** The path of the page and the contents of all files, as the printer reads them. */
async function read(bytes: Buffer): Promise<{ entry: string; files: Record<string, string> }> {
  const index = Buffer.from(JSON.stringify(indexArchive(bytes)))
  const { entry, files } = openArchive(bytes, index)
  const contents = [...files].map(async ([path, content]) => [path, Buffer.from(await content.read()).toString()])
  return { entry, files: Object.fromEntries(await Promise.all(contents)) as Record<string, string> }
}

describe('a zipped page', () => {
  it('consists of its index.html and the files beside it', async () => {
    const bytes = await zip({ 'index.html': '<p>', 'img/a.svg': '<svg/>' })
    expect(await read(bytes)).toEqual({ entry: '/index.html', files: { '/index.html': '<p>', '/img/a.svg': '<svg/>' } })
  })

  it('may have a single top-level folder', async () => {
    const bytes = await zip({ 'site/index.htm': '<p>', 'site/a/b.css': 'p{}', '__MACOSX/site/._index.htm': 'x' })
    expect(await read(bytes)).toEqual({ entry: '/index.htm', files: { '/index.htm': '<p>', '/a/b.css': 'p{}' } })
  })

  it('may have empty files, folders, stored files, and a comment', async () => {
    const drafts = [PAGE, { name: 'empty', content: '' }, { name: 'img/', content: '', isStored: true }]
    const bytes = writeZip([...drafts, { name: 'img/b.txt', content: 'B', isStored: true }], {
      comment: 'made by hand',
    })
    expect((await read(bytes)).files).toEqual({ '/index.html': '<p>PAGE</p>', '/empty': '', '/img/b.txt': 'B' })
  })

  it('may come from a writer that learns sizes and checksums last', async () => {
    const late = { flags: 8, checksum: 0, packedBytes: 0, byteLength: 0 }
    const bytes = writeZip([{ ...PAGE, local: late, central: { flags: 8 }, after: Buffer.alloc(16, 'PK') }, STYLE])
    expect((await read(bytes)).files['/index.html']).toBe('<p>PAGE</p>')
  })

  it('may have ZIP64 fields that say the same', async () => {
    const { byteLength, packedBytes } = indexArchive(writeZip([PAGE])).files[0] ?? { byteLength: 0, packedBytes: 0 }
    const sizes = [BigInt(byteLength), BigInt(packedBytes)]
    const unset = { byteLength: UNSET, packedBytes: UNSET }
    const bytes = writeZip(
      [
        {
          ...PAGE,
          local: { ...unset, extra: extraField(1, ...sizes) },
          central: { ...unset, headerStart: UNSET, extra: extraField(1, ...sizes, 0n) },
        },
      ],
      {
        count: 0xffff,
        directoryBytes: UNSET,
        directoryStart: UNSET,
        before: facts => writeEnd64(facts, facts.start + facts.byteLength),
      },
    )
    expect((await read(bytes)).files).toEqual({ '/index.html': '<p>PAGE</p>' })
  })

  it.each([
    ['UTF-8 with its flag', Buffer.from('é.txt'), { flags: 0x800 }],
    ['UTF-8 without its flag', Buffer.from('é.txt'), {}],
    ['code page 437', Buffer.from([0x82, ...Buffer.from('.txt')]), {}],
    [
      'a field of their own',
      Buffer.from('_.txt'),
      { extra: extraField(0x7075, Buffer.from([1]), checksumOf('_.txt'), Buffer.from('é.txt')) },
    ],
  ])('may have names in %s', async (_what, name, fields) => {
    const bytes = writeZip([
      PAGE,
      { name: 'x', content: 'X', local: { name, ...fields }, central: { name, ...fields } },
    ])
    expect(Object.keys((await read(bytes)).files)).toEqual(['/index.html', '/é.txt'])
  })

  it.each([
    ['without a page', { 'a.css': 'p{}' }, /must contain index\.html\. Got 1 file without/],
    ['without any file', {}, /must contain index\.html\. Got 0 files without/],
    ['with a path outside the folder', { 'index.html': '<p>', '../../etc/evil': 'x' }, /a path outside the archive/],
    ['with an absolute path', { 'index.html': '<p>', '/etc/evil': 'x' }, /contains a path outside the archive/],
    ['with a drive', { 'index.html': '<p>', 'c:evil': 'x' }, /contains a path outside the archive/],
    [
      'with backslashes that leave the folder',
      { 'index.html': '<p>', 'a\\..\\..\\b': 'x' },
      /a path outside the archive/,
    ],
  ])('%s is refused', async (_what, files, message) => {
    const bytes = await zip(files)
    expect(() => indexArchive(bytes)).toThrowError(refused('damaged', message))
  })

  it('that is cut off anywhere is refused', () => {
    const whole = writeZip([PAGE, STYLE])
    for (let length = 0; length < whole.length; length += 1)
      expect(() => indexArchive(whole.subarray(0, length))).toThrowError(refused('damaged', /must be a valid ZIP/))
  })

  it('with one changed byte is refused, or has the same files', async () => {
    const whole = writeZip([{ ...PAGE, isStored: true }, STYLE])
    const { files } = await read(whole)
    for (let at = 0; at < whole.length; at += 1)
      for (const change of [0x01, 0x80, 0xff]) {
        const changed = Buffer.from(whole)
        changed.writeUInt8(whole.readUInt8(at) ^ change, at)
        const outcome = await read(changed).catch((error: unknown) => error)
        if (outcome instanceof Error)
          expect(outcome).toMatchObject({ name: 'EngineError', problems: [{ param: 'file' }] })
        else expect(outcome).toEqual(expect.objectContaining({ files }))
      }
  })
})

function checksumOf(name: string): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(crc32(name))
  return bytes
}

describe('a ZIP that costs more than it has bytes', () => {
  it('is refused before it is unpacked if it unpacks to more than 100 MB', () => {
    const bomb = writeZip([PAGE, { name: 'zeros.bin', content: Buffer.alloc(105_000_000) }])
    expect(bomb.length).toBeLessThan(200_000)
    expect(() => indexArchive(bomb)).toThrowError(
      refused('too_large', /must unpack to at most 100 MB\. Got 101 MB\. Send fewer/),
    )
  })

  it('is refused if its files share bytes', () => {
    const kernel = { name: 'b.bin', content: Buffer.alloc(100_000) }
    const twins = Array.from({ length: 3 }, () => ({ ...kernel, central: { headerStart: 0 } }))
    for (const bytes of [writeZip(twins), nest(kernel)])
      expect(() => indexArchive(bytes)).toThrowError(refused('damaged', /must be a valid ZIP/))
  })

  it('is refused if two files share a path', () => {
    const slash = { ...STYLE, name: 'a/b.css' }
    for (const twins of [
      [STYLE, STYLE],
      [slash, { ...slash, name: 'a\\b.css' }],
    ])
      expect(() => indexArchive(writeZip([PAGE, ...twins]))).toThrowError(refused('damaged', /each path once/))
  })

  it('is refused for too many files before any entry is read', () => {
    const many = writeZip(Array.from({ length: 2001 }, (_, index) => ({ name: `${index}.txt`, content: 'x' })))
    const stated = writeZip([], { count: 65_534 })
    expect(() => indexArchive(many)).toThrowError(refused('too_large', /at most 2000 files\. Got 2001/))
    expect(() => indexArchive(stated)).toThrowError(refused('too_large', /at most 2000 files\. Got 65534/))
  })

  it('is refused for long names', () => {
    const bytes = writeZip([PAGE, { name: 'x'.repeat(1025), content: '' }])
    expect(() => indexArchive(bytes)).toThrowError(refused('too_large', /paths of at most 1024 bytes\. Got 1025 bytes/))
  })
})

/** A stored file whose bytes are another file, with its header. Both are in the directory. */
function nest(inner: ZipDraft): Buffer {
  const whole = writeZip([inner])
  const file = whole.subarray(0, whole.lastIndexOf('PK\u0001\u0002', undefined, 'latin1'))
  const outer = { name: 'outer', content: file, isStored: true }
  return writeZip([outer, { ...inner, packed: Buffer.alloc(0), ...sizesIn(whole, 30 + outer.name.length) }])
}

function sizesIn(zip: Buffer, headerStart: number): Pick<ZipDraft, 'central'> {
  return { central: { headerStart, packedBytes: zip.readUInt32LE(18) } }
}

describe('a ZIP that contradicts itself', () => {
  const packed = Buffer.from('stored bytes')
  const STORED: ZipDraft = { name: 's.bin', content: packed, isStored: true }

  it.each<[string, Buffer]>([
    ['a larger size', writeZip([PAGE, { ...STYLE, ...both({ byteLength: 400 }) }])],
    ['a smaller size', writeZip([PAGE, { ...STYLE, ...both({ byteLength: 10 }) }])],
    ['a size that Deflate cannot reach', writeZip([PAGE, { ...STYLE, ...both({ byteLength: 50_000_000 }) }])],
    ['another size of a stored file', writeZip([PAGE, { ...STORED, ...both({ byteLength: 5 }) }])],
    ['packed bytes that reach into the directory', writeZip([PAGE, { ...STYLE, ...both({ packedBytes: 200 }) }])],
    ['packed bytes beyond the file', writeZip([PAGE, { ...STYLE, ...both({ packedBytes: 2 ** 31 }) }])],
    ['another checksum', writeZip([PAGE, { ...STYLE, ...both({ checksum: 1 }) }])],
    ['another local name', writeZip([PAGE, { ...STYLE, local: { name: 'b.css' } }])],
    ['another local size', writeZip([PAGE, { ...STYLE, local: { byteLength: 7 } }])],
    ['another packed size', writeZip([PAGE, { ...STYLE, local: { packedBytes: 7 } }])],
    ['another local checksum', writeZip([PAGE, { ...STYLE, local: { checksum: 7 } }])],
    ['a local size of 0 without a descriptor', writeZip([PAGE, { ...STYLE, local: { byteLength: 0 } }])],
    ['another local method', writeZip([PAGE, { ...STYLE, local: { method: 0 } }])],
    ['a local header that is encrypted', writeZip([PAGE, { ...STYLE, local: { flags: 1 } }])],
    ['a header outside the file', writeZip([PAGE, { ...STYLE, central: { headerStart: 2 ** 31 } }])],
    ['a header in the middle of a file', writeZip([PAGE, { ...STYLE, central: { headerStart: 4 } }])],
    ['fewer entries than stated', writeZip([PAGE], { count: 2 })],
    ['more entries than stated', writeZip([PAGE, STYLE], { count: 1 })],
    ['two numbers of entries', writeZip([PAGE], { countOnDisk: 2 })],
    ['a directory elsewhere', writeZip([PAGE, STYLE], { directoryStart: 10 })],
    ['a directory outside the file', writeZip([PAGE, STYLE], { directoryStart: 2 ** 31 })],
    ['several disks', writeZip([PAGE], { disk: 1 })],
    ['a ZIP64 entry without its field', writeZip([PAGE, { ...STYLE, ...both({ byteLength: UNSET }) }])],
    [
      'a ZIP64 field that is too short',
      writeZip([PAGE, { ...STYLE, ...both({ byteLength: UNSET, packedBytes: UNSET, extra: extraField(1, 320n) }) }]),
    ],
    [
      'a ZIP64 size that no file has',
      writeZip([PAGE, { ...STYLE, ...both({ packedBytes: UNSET, extra: extraField(1, 2n ** 64n - 1n) }) }]),
    ],
    ['a ZIP64 end without a locator', writeZip([PAGE], { count: 0xffff })],
    ['a ZIP64 end outside the file', writeZip([PAGE], { count: 0xffff, before: facts => writeEnd64(facts, 2 ** 40) })],
    [
      'a ZIP64 end that says something else',
      writeZip([PAGE], {
        directoryBytes: UNSET,
        before: facts => writeEnd64({ ...facts, count: 2 }, facts.start + facts.byteLength),
      }),
    ],
  ])('with %s is refused', (_what, bytes) => {
    expect(() => indexArchive(bytes)).toThrowError(refused('damaged', /must be a valid ZIP\. It is damaged/))
  })

  it('is refused with the reason if a file is encrypted or packed in another way', () => {
    const encrypted = writeZip([PAGE, { ...STYLE, ...both({ flags: 1 }) }])
    const lzma = writeZip([PAGE, { ...STYLE, ...both({ method: 14 }) }])
    expect(() => indexArchive(encrypted)).toThrowError(refused('damaged', /contains encrypted files/))
    expect(() => indexArchive(lzma)).toThrowError(refused('damaged', /unsupported compression method/))
  })
})

function both(fields: NonNullable<ZipDraft['local']>): Pick<ZipDraft, 'local' | 'central'> {
  return { local: fields, central: fields }
}
