import { linkSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdChunks, openSpoolFile } from '../../../../engines/output-content'
import { writeOutput } from '../../../../lib/http/response/write-output'

const PIECE = 256 * 1024

let folder: string
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sheaf-output-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** A response that notes what it gets. The client disconnects after `mostWrites` writes. */
function createSink(mostWrites = Infinity) {
  const events: string[] = []
  let pending = 0
  return {
    events,
    get end() {
      return events.length >= mostWrites ? ('hung-up' as const) : undefined
    },
    async write(piece: Uint8Array) {
      pending += 1
      events.push(`write ${piece.byteLength}`)
      if (pending > 1) throw new Error('a piece came before the previous one was sent')
      await new Promise(resolve => setTimeout(resolve, 1))
      pending -= 1
    },
    finish(piece?: Uint8Array) {
      events.push(`end ${piece?.byteLength ?? 0}`)
    },
  }
}

function spool(byteLength: number, name: string) {
  const path = join(folder, name)
  writeFileSync(path, Buffer.alloc(byteLength))
  return openSpoolFile(path, byteLength)
}

describe('an output', () => {
  it.each([
    ['in memory', () => holdChunks([Buffer.alloc(PIECE), Buffer.alloc(PIECE + 7)])],
    ['in a file', () => spool(2 * PIECE + 7, 'large')],
  ])('%s is sent piece by piece, and the last piece ends the response', async (_, create) => {
    const sink = createSink()
    await writeOutput(sink, create())
    expect(sink.events).toEqual([`write ${PIECE}`, `write ${PIECE}`, 'end 7'])
  })

  it('that is small or empty takes one write', async () => {
    const [small, empty] = [createSink(), createSink()]
    await writeOutput(small, holdChunks([Buffer.alloc(10)]))
    await writeOutput(empty, holdChunks([]))
    expect([small.events, empty.events]).toEqual([['end 10'], ['end 0']])
  })

  it('stops when the client disconnects', async () => {
    const gone = createSink(1)
    await writeOutput(gone, spool(4 * PIECE, 'gone'))
    expect(gone.events).toEqual([`write ${PIECE}`])
  })

  it('that is released during the response is an error, not the end of the response', async () => {
    const content = spool(4 * PIECE, 'released')
    const sink = createSink()
    const writing = writeOutput({ ...sink, end: undefined, write: async () => content.release() }, content)
    await expect(writing).rejects.toThrow('released before its end')
    expect(sink.events).toEqual([])
  })

  it('whose file is cut short is an error, not the end of the response', async () => {
    const path = join(folder, 'short')
    writeFileSync(path, Buffer.alloc(2 * PIECE))
    linkSync(path, `${path}-too`)
    const content = openSpoolFile(path, 2 * PIECE)
    truncateSync(`${path}-too`, PIECE)
    const sink = createSink()
    await expect(writeOutput(sink, content)).rejects.toThrow('ended early')
    expect(sink.events).toEqual([`write ${PIECE}`])
    content.release()
  })
})
