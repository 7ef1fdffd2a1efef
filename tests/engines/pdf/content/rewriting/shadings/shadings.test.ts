import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { AROUND_SECRET, CUT, GRADIENTS, makeSharedShading, PICTURED, SECRET } from '../../../../../fixtures/shadings'
import { runOn } from '../../../../../support/run-on'
import { readSound } from '../../../../../support/strict-pdf'
import { renderWithout } from '../../../../../support/without-boxes'

const COLOR = [1, 2, 3] as const
const redact = (file: Uint8Array) =>
  runOn('pdf-redaction', file, { areas: [{ page: 1, ...AROUND_SECRET }], color: '#010203' })
const draw = (file: Uint8Array, pageIndex = 0) => renderWithout(file, COLOR, pageIndex)
type Drawn = Awaited<ReturnType<typeof draw>>

/** Returns the range of gray values where the secret was. */
function contrastOf({ width, height, gray }: Drawn, { x, y, width: across, height: up } = SECRET): number {
  let [low, high] = [255, 0]
  for (let row = height - y - up; row < height - y; row++) {
    for (let column = x; column < x + across; column++) {
      low = Math.min(low, gray[row * width + column] ?? 0)
      high = Math.max(high, gray[row * width + column] ?? 0)
    }
  }
  return high - low
}

/** Returns the share of pixels outside the area that differ. */
function changeBeside(one: Drawn, other: Drawn, levels: number): number {
  expect([one.width, one.height]).toEqual([other.width, other.height])
  const { x, y, width, height } = AROUND_SECRET
  let count = 0
  for (let at = 0; at < one.gray.length; at++) {
    const [column, up] = [at % one.width, one.height - 1 - Math.floor(at / one.width)]
    if (column >= x - 2 && column < x + width + 2 && up >= y - 2 && up < y + height + 2) continue
    if (Math.abs((one.gray[at] ?? 0) - (other.gray[at] ?? 0)) > levels) count++
  }
  return count / one.gray.length
}

/**
 * Returns the range of eight-bit samples where the secret was, per function of 150 x 100 samples with three outputs.
 */
function sampledPlanes(bytes: Buffer): number[] {
  const text = bytes.toString('latin1')
  return [...text.matchAll(/<<[^>]*\/FunctionType 0\b[^>]*>>\s*stream\r?\n/g)].flatMap(({ 0: head, index }) => {
    if (!/\/BitsPerSample 8\b/.test(head) || !/\/Size *\[ *150 100 *\]/.test(head) || /\/(Encode|Decode)/.test(head))
      return []
    const samples = inflateSync(bytes.subarray(index + head.length))
    const outputs = samples.length / 15_000
    const rows = Array.from({ length: SECRET.height / 2 }, (_, row) => SECRET.y / 2 + row)
    const inside = rows.flatMap(row => [
      ...samples.subarray((row * 150 + SECRET.x / 2) * outputs, (row * 150 + (SECRET.x + SECRET.width) / 2) * outputs),
    ])
    return [Math.max(...inside) - Math.min(...inside)]
  })
}

function expectSound(bytes: Buffer): void {
  readSound(bytes)
}

describe('a shading with the content of an image', () => {
  for (const [name, make] of Object.entries(CUT)) {
    it(`loses the content under an area and nothing else: ${name}`, async () => {
      const file = make()
      const before = await draw(file)
      expect(contrastOf(before)).toBeGreaterThan(100)
      const { bytes, warnings } = await redact(file)
      expect(warnings).toEqual([])
      for (const samples of sampledPlanes(bytes)) expect(samples).toBeLessThan(12)
      expectSound(bytes)
      // Redaction removes whole letters.
      if (name === 'a pattern in text') return
      const after = await draw(bytes)
      expect(contrastOf(after)).toBeLessThan(12)
      expect(changeBeside(before, after, 20)).toBeLessThan(name === 'a pattern that strokes' ? 0.04 : 0.001)
    })
  }

  for (const [name, make] of Object.entries(PICTURED)) {
    it(`causes its page to become an image if the shading can't be cut: ${name}`, async () => {
      const file = make()
      const before = await draw(file)
      expect(contrastOf(before)).toBeGreaterThan(100)
      const { bytes, warnings, headers } = await redact(file)
      expect(warnings).toEqual(['page-rasterized'])
      expect(headers['X-Redaction-Verified']).toBe('true')
      const after = await draw(bytes)
      expect(contrastOf(after)).toBeLessThan(12)
      expect(bytes.toString('latin1')).not.toMatch(/ShadingType|FunctionType/)
      expect(changeBeside(before, after, 100)).toBeLessThan(0.02)
      expectSound(bytes)
    })
  }

  it('is found in samples before redaction', () => {
    expect(sampledPlanes(CUT['a pattern in text']?.() ?? Buffer.alloc(0))).toEqual([255])
  })

  it('remains whole on another page that shares it', async () => {
    const file = makeSharedShading()
    const { bytes } = await redact(file)
    expect(contrastOf(await draw(bytes))).toBeLessThan(12)
    expect(changeBeside(await draw(file, 1), await draw(bytes, 1), 0)).toBe(0)
    expect(contrastOf(await draw(bytes, 1))).toBe(contrastOf(await draw(file, 1)))
  })
})

describe('a gradient', () => {
  for (const [name, make] of Object.entries(GRADIENTS)) {
    it(`looks as before, and its page does not become an image: ${name}`, async () => {
      const file = make()
      const { bytes, warnings } = await redact(file)
      expect(warnings).toEqual([])
      expect(changeBeside(await draw(file), await draw(bytes), 3)).toBe(0)
      expectSound(bytes)
    })
  }
})
