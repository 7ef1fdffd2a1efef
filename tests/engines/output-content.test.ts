import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectContent, holdChunks, openSpoolFile } from '../../engines/output-content'
import { waitFor } from '../support/wait-for'

const KIB = 1024
const PIECE = 256 * KIB
const bytes = randomBytes(3 * PIECE + 5)
const hash = (piece: Uint8Array) => createHash('sha256').update(piece).digest('hex')

let folder: string
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sheaf-spool-'))))
afterAll(() => rmSync(folder, { recursive: true }))

function writeSpool(name: string): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

/** How often this process has a file open, by its name. Names of removed files end with a mark. */
function countOpen(path: string): number {
  return readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path)
    } catch {
      return false // The descriptor of the list itself.
    }
  }).length
}

describe('a spool file', () => {
  it('is read in pieces of at most 256 KiB, and has no name as soon as it is open', async () => {
    const path = writeSpool('one')
    const content = openSpoolFile(path, bytes.length)
    expect(existsSync(path)).toBe(false)
    const pieces: Uint8Array[] = []
    for await (const piece of content.read()) pieces.push(piece)
    expect(pieces.map(piece => piece.length)).toEqual([PIECE, PIECE, PIECE, 5])
    expect(hash(Buffer.concat(pieces))).toBe(hash(bytes))
    content.release()
  })

  it.runIf(process.platform === 'linux')('is closed once by a release, also during a read', async () => {
    const path = writeSpool('two')
    const content = openSpoolFile(path, bytes.length)
    expect(countOpen(path)).toBe(1)
    const reader = content.read()[Symbol.asyncIterator]()
    await reader.next()
    const next = reader.next()
    content.release()
    content.release()
    expect(await next).toEqual({ done: true, value: undefined })
    await waitFor(() => expect(countOpen(path)).toBe(0))
  })

  it('must have the announced size and must not be a link', () => {
    expect(() => openSpoolFile(writeSpool('three'), bytes.length + 1)).toThrow('instead of')
    symlinkSync(writeSpool('target'), join(folder, 'link'))
    expect(() => openSpoolFile(join(folder, 'link'), bytes.length)).toThrow('ELOOP')
  })
})

describe('an output in memory', () => {
  it('is read in pieces and holds nothing afterwards', async () => {
    const chunks = [bytes.subarray(0, 10), Buffer.alloc(0), bytes.subarray(10)]
    const content = holdChunks(chunks)
    expect(content).toMatchObject({ byteLength: bytes.length, isSpooled: false })
    expect(hash(await collectContent(content))).toBe(hash(bytes))
    expect(chunks).toEqual([])
  })
})
