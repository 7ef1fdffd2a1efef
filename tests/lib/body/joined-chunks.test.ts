import { describe, expect, it } from 'vitest'
import { JoinedChunks } from '../../../lib/body/joined-chunks'

function join(lengths: Iterable<number>): { joined: JoinedChunks; sent: Buffer } {
  const joined = new JoinedChunks()
  const sent: Buffer[] = []
  for (const length of lengths) {
    const chunk = Buffer.alloc(length, sent.length % 251)
    sent.push(Buffer.from(chunk))
    joined.push(chunk)
    if (length < 4096) chunk.fill(0) // A small chunk isn't kept.
  }
  joined.end()
  return { joined, sent: Buffer.concat(sent) }
}

describe('the chunks of a file', () => {
  it.each([
    ['small', Array.from({ length: 5000 }, (_, index) => (index * 37) % 4095)],
    ['large', [4096, 70_000, 5000]],
    ['mixed', Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? 8192 : index % 90))],
    ['of one byte', Array.from({ length: 100_000 }, () => 1)],
    ['empty', [0, 0]],
  ])('that are %s keep their order and content', (_, lengths) => {
    const { joined, sent } = join(lengths)
    expect(Buffer.concat(joined.chunks).equals(sent)).toBe(true)
  })

  it('are joined if they are small, and hold little more memory than their content', () => {
    const { joined } = join(Array.from({ length: 100_000 }, () => 1))
    expect(joined.chunks.length).toBeLessThan(10)
    const alternating = join(Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 1 : 4096))).joined
    const buffers = new Set(alternating.chunks.map(({ buffer }) => buffer))
    const held = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)
    expect(held).toBeLessThan(2 * 100 * 4097)
  })
})
