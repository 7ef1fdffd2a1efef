import { describe, expect, it } from 'vitest'
import { FrameReader, HEAD_BYTES, FrameError, decodeHead, encodeFrame, type Frame } from '../../../engines/pool/frames'

const LIMITS = { maxTextBytes: 1000, maxRawBytes: 1000 }

function readAll(pieces: Uint8Array[], limits = LIMITS): Frame[] {
  const frames: Frame[] = []
  const reader = new FrameReader(limits, frame => frames.push(frame))
  for (const piece of pieces) reader.push(piece)
  return frames
}

const three = Buffer.concat([
  encodeFrame('opened'),
  encodeFrame('result', { name: 'ä€😀.pdf' }, 7),
  Buffer.from('1234567'),
  encodeFrame('idle', { residentBytes: 5 }),
])

describe('FrameReader', () => {
  it('returns the same frames however the bytes are chunked', () => {
    for (let size = 1; size <= three.length; size += 1) {
      const pieces = Array.from({ length: Math.ceil(three.length / size) }, (_, index) =>
        three.subarray(index * size, (index + 1) * size),
      )
      const frames = readAll(pieces)
      expect(frames.map(({ kind, message }) => ({ kind, message }))).toEqual([
        { kind: 'opened', message: undefined },
        { kind: 'result', message: { name: 'ä€😀.pdf' } },
        { kind: 'idle', message: { residentBytes: 5 } },
      ])
      expect(Buffer.concat(frames[1]?.chunks ?? []).toString()).toBe('1234567')
    }
  })

  it('returns raw bytes without copying them', () => {
    const raw = Buffer.from('1234567')
    const [frame] = readAll([encodeFrame('result', {}, 7), raw])
    expect(frame?.chunks[0]?.buffer).toBe(raw.buffer)
    expect(frame?.chunks).toHaveLength(1)
  })

  it("refuses bytes that aren't a frame", () => {
    expect(() => readAll([Buffer.from('console output, long enough')])).toThrow(FrameError)
  })

  it("refuses text that isn't JSON", () => {
    const frame = encodeFrame('result', { a: 1 })
    frame.write('x', HEAD_BYTES)
    expect(() => readAll([frame])).toThrow(FrameError)
  })

  it('refuses a frame that announces more than allowed before any of it arrives', () => {
    const [frame] = readAll([encodeFrame('result', 'x'.repeat(998), 1000), Buffer.alloc(1000)])
    expect(frame).toMatchObject({ message: 'x'.repeat(998), rawBytes: 1000 })
    expect(() => readAll([encodeFrame('result', {}, 1001)])).toThrow(FrameError)
    expect(() => readAll([encodeFrame('result', { long: 'x'.repeat(1001) }).subarray(0, HEAD_BYTES)])).toThrow(
      FrameError,
    )
  })
})

describe('decodeHead', () => {
  it("refuses lengths that aren't counts", () => {
    for (const rawBytes of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const head = encodeFrame('result')
      head.writeDoubleLE(rawBytes, 8)
      expect(() => decodeHead(head)).toThrow(FrameError)
    }
  })
})
