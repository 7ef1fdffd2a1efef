import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { readHtmlArchive } from '../../../../engines/webpage/request/html-archive'

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

describe('a zipped page', () => {
  it('consists of its index.html and the files beside it', async () => {
    const { entry, files } = await readHtmlArchive(await zip({ 'index.html': '<p>', 'img/a.svg': '<svg/>' }))
    expect(entry).toBe('/index.html')
    expect([...files.keys()].sort()).toEqual(['/img/a.svg', '/index.html'])
  })

  it('may have a single top-level folder', async () => {
    const { entry, files } = await readHtmlArchive(
      await zip({ 'site/index.htm': '<p>', 'site/a/b.css': 'p{}', '__MACOSX/site/._index.htm': 'x' }),
    )
    expect(entry).toBe('/index.htm')
    expect([...files.keys()].sort()).toEqual(['/a/b.css', '/index.htm'])
  })

  it.each([
    ['without a page', { 'a.css': 'p{}' }, /must contain index\.html\. Got 1 file without/],
    ['without any file', {}, /must contain index\.html\. Got 0 files without/],
    [
      'with a path outside the folder',
      { 'index.html': '<p>', '../../etc/evil': 'x' },
      /contains a path outside the archive/,
    ],
    ['with an absolute path', { 'index.html': '<p>', '/etc/evil': 'x' }, /contains a path outside the archive/],
  ])('%s is refused', async (_what, files, message) => {
    await expect(readHtmlArchive(await zip(files))).rejects.toThrowError(refused('unreadable', message))
  })

  it('that is truncated or damaged is refused', async () => {
    const whole = await zip({ 'index.html': '<p>'.repeat(1000) })
    await expect(readHtmlArchive(whole.subarray(0, whole.length - 30))).rejects.toThrowError(
      refused('unreadable', /must be a valid ZIP/),
    )
    const damaged = Buffer.from(whole)
    damaged.fill(0xff, 45, 55)
    await expect(readHtmlArchive(damaged)).rejects.toThrowError(refused('unreadable', /must be a valid ZIP/))
  })

  it('that unpacks to more than 100 MB is refused before it is unpacked', async () => {
    const bomb = await zip({ 'index.html': '<p>', 'zeros.bin': Buffer.alloc(105_000_000) })
    expect(bomb.length).toBeLessThan(200_000)
    await expect(readHtmlArchive(bomb)).rejects.toThrowError(refused('too-large', /must unpack to at most 100 MB/))
  })

  it('that unpacks to more than it states is refused', async () => {
    const bomb = await zip({ 'index.html': 'x'.repeat(100_000) })
    const sizeAt = bomb.lastIndexOf(Buffer.from('PK\u0001\u0002')) + 24
    bomb.writeUInt32LE(10, sizeAt)
    await expect(readHtmlArchive(bomb)).rejects.toThrowError(refused('unreadable', /must be a valid ZIP/))
  })

  it('of more than 2,000 files is refused', async () => {
    await expect(
      readHtmlArchive(await zip(Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`${index}.txt`, 'x'])))),
    ).rejects.toThrowError(refused('too-large', /at most 2000 files\. Got 2001/))
  })
})
