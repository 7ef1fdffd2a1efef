import type * as Fs from 'node:fs'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, type PathLike } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readBytes, readFrameFront, writeChunks, writeFrames } from '../../../engines/pool/blocking-pipe'
import { FrameError } from '../../../engines/pool/frames'

/** The number of bytes that the system passes on per call, and the number of calls that it refuses as too early. */
const system = vi.hoisted(() => ({ most: 4, early: 0 }))

vi.mock('node:fs', async importOriginal => {
  const fs = await importOriginal<typeof Fs>()
  const assertReady = () => {
    if (system.early-- > 0) throw Object.assign(new Error('try again'), { code: 'EAGAIN' })
  }
  return {
    ...fs,
    readSync: (fd: number, bytes: Buffer, at: number, length: number) => {
      assertReady()
      return fs.readSync(fd, bytes, at, Math.min(length, system.most), null)
    },
    writevSync: (fd: number, chunks: Uint8Array[]) => {
      assertReady()
      return fs.writeSync(fd, Buffer.concat(chunks).subarray(0, system.most))
    },
  }
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-pipe-'))
  system.most = 4
  system.early = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

function withFile<Result>(flags: string, work: (fd: number, path: PathLike) => Result): Result {
  const path = join(folder, 'pipe')
  const fd = openSync(path, flags)
  try {
    return work(fd, path)
  } finally {
    closeSync(fd)
  }
}

it.each([1, 3, 4, 7, 1000])('all bytes are written if the system accepts %d of them at a time', most => {
  const chunks = ['abc', '', 'defgh', 'ij', 'klmnopqrstuvwxyz'].map(text => Buffer.from(text))
  system.most = most
  system.early = 2
  withFile('w', (fd, path) => {
    writeChunks(fd, chunks)
    expect(readFileSync(path, 'utf8')).toBe('abcdefghijklmnopqrstuvwxyz')
  })
})

it('more chunks are written than one system call accepts', () => {
  system.most = 5000
  withFile('w', (fd, path) => {
    writeChunks(
      fd,
      Array.from({ length: 2050 }, (_, index) => Buffer.from([index % 256])),
    )
    expect([...readFileSync(path)]).toEqual(Array.from({ length: 2050 }, (_, index) => index % 256))
  })
})

it('frames are read as they were written, however few bytes come at a time', () => {
  withFile('w', fd =>
    writeFrames(fd, { kind: 'result', message: { name: 'a' }, chunks: [Buffer.from('raw')] }, { kind: 'idle' }),
  )
  withFile('r', fd => {
    const front = readFrameFront(fd)
    expect(front).toMatchObject({ kind: 'result', message: { name: 'a' }, rawBytes: 3 })
    expect(readBytes(fd, 3).toString()).toBe('raw')
    expect(readFrameFront(fd)).toMatchObject({ kind: 'idle', rawBytes: 0 })
    expect(readFrameFront(fd)).toBeUndefined()
  })
})

it('a pipe that ends within a frame, or fails, is an error', () => {
  writeFileSync(join(folder, 'pipe'), 'abc')
  withFile('r', fd => {
    expect(() => readBytes(fd, 4)).toThrow(FrameError)
    expect(() => writeChunks(fd, [Buffer.from('a')])).toThrow('EBADF')
  })
})
