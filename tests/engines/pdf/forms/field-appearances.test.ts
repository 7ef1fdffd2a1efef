import { describe, expect, it } from 'vitest'
import { FormDraft, type Place } from '../../../fixtures/forms'
import { renderPage } from '../../../support/reader'
import { runOn } from '../../../support/run-on'

interface Look {
  /** The number of dark pixels. */
  count: number
  /** The bounds of the dark pixels, from the field's lower-left corner. */
  left: number
  right: number
  bottom: number
  top: number
  /** The number of red pixels. */
  redCount: number
}

const PLACE: Place = [100, 400, 200, 20]

/** Fills a field with a value and measures it as PDFium draws it. */
async function look(entries: string, value: unknown, place: Place = PLACE, options: object = {}): Promise<Look> {
  const form = new FormDraft()
  form.field(`/T(field)${entries}`, place)
  const { bytes } = await runOn('form-filler', form.write(), { fields: { field: value }, ...options })
  const { width, height, pixels } = await renderPage(bytes, 0, { hasFields: true })
  const [x, y, across, up] = place
  const seen: Look = { count: 0, left: across, right: 0, bottom: up, top: 0, redCount: 0 }
  for (let column = x; column < x + across; column++) {
    for (let row = y; row < y + up; row++) {
      const at = ((height - 1 - row) * width + column) * 4
      const [green = 255, red = 255] = [pixels[at + 1], pixels[at + 2]]
      if (red > 200 && green < 120) seen.redCount++
      if (green > 140) continue
      seen.count++
      seen.left = Math.min(seen.left, column - x)
      seen.right = Math.max(seen.right, column - x + 1)
      seen.bottom = Math.min(seen.bottom, row - y)
      seen.top = Math.max(seen.top, row - y + 1)
    }
  }
  return seen
}

describe('the text of an AcroForm field', () => {
  it('is aligned left, centered or right, and stays between the edges', async () => {
    const [left, middle, right] = await Promise.all([0, 1, 2].map(quadding => look(`/FT/Tx/Q ${quadding}`, 'HHH')))
    expect([left?.left, left && left.right < 60]).toEqual([3, true])
    expect(Math.abs((middle?.left ?? 0) - (200 - (middle?.right ?? 0)))).toBeLessThanOrEqual(2)
    expect(right?.right).toBeGreaterThanOrEqual(196)
    expect(Math.abs((left?.bottom ?? 0) - (20 - (left?.top ?? 0)))).toBeLessThanOrEqual(2)
  })

  it('has the widths of its own font', async () => {
    const { left, right } = await look('/FT/Tx/Q 2/DA(/Cour 12 Tf 0 g)', 'H'.repeat(10))
    expect([left, right]).toEqual([127, 197])
  })

  it('grows with the field until it is as wide, if its size is automatic', async () => {
    const auto = '/FT/Tx/DA(/Helv 0 Tf 0 g)'
    const [low, high, wide] = await Promise.all([
      look(auto, 'H', [100, 400, 200, 16]),
      look(auto, 'H', [100, 400, 200, 40]),
      look(auto, 'H'.repeat(60), [100, 400, 200, 40]),
    ])
    expect(low.top - low.bottom).toBeGreaterThanOrEqual(7)
    expect(high.top - high.bottom).toBeGreaterThan(2 * (low.top - low.bottom))
    expect(wide.right).toBeLessThanOrEqual(198)
    expect(wide.top - wide.bottom).toBeLessThan(8)
  })

  it('is condensed slightly before it is cut off at the edge', async () => {
    const natural = (await look('/FT/Tx', 'H'.repeat(20))).right
    const narrow = await look('/FT/Tx', 'H'.repeat(20), [100, 400, natural - 10, 20])
    expect(narrow.right).toBeLessThanOrEqual(natural - 12)
    expect(narrow.right).toBeGreaterThan(natural - 16)
  })

  it('has the color and the weight of the default appearance', async () => {
    const [plain, bold, red] = await Promise.all([
      look('/FT/Tx', 'HHH'),
      look('/FT/Tx/DA(/HeBo 11 Tf 0 g)', 'HHH'),
      look('/FT/Tx/DA(1 0 0 rg/Helv 11 Tf)', 'HHH'),
    ])
    expect(bold.count).toBeGreaterThan(1.2 * plain.count)
    expect([plain.redCount, red.redCount > 20]).toEqual([0, true])
  })

  it('is broken into lines that fit, and set smaller if its size is automatic', async () => {
    const text = 'A line of words that goes on and on. '.repeat(8)
    const entries = '/FT/Tx/Ff 4096/DA(/Helv 0 Tf 0 g)'
    const [roomy, tight] = await Promise.all([
      look(entries, text, [100, 300, 300, 150]),
      look(entries, text, [100, 300, 200, 60]),
    ])
    expect(roomy.top - roomy.bottom).toBeGreaterThan(60)
    expect([tight.bottom >= 2, tight.right <= 198, tight.top >= 50]).toEqual([true, true, true])
  })

  it('fills the cells of a comb from the aligned side', async () => {
    const [left, right] = await Promise.all(
      ['', '/Q 2'].map(quadding => look(`/FT/Tx/Ff 16777216/MaxLen 10${quadding}`, 'HH')),
    )
    expect([left && left.right <= 40, right && right.left >= 160]).toEqual([true, true])
  })
})

describe('the frame and the marks of an AcroForm field', () => {
  it('has the border that the file defines', async () => {
    const border = (style: string) => look(`/FT/Tx/BS<</W 2/S/${style}>>/MK<</BC[0]>>`, '')
    const [solid, dashed, inset, line] = await Promise.all(['S', 'D', 'I', 'U'].map(border))
    expect(solid).toMatchObject({ left: 0, right: 200, bottom: 0, top: 20 })
    expect(dashed?.count).toBeLessThan(0.7 * (solid?.count ?? 0))
    expect(inset?.count).toBeGreaterThan(solid?.count ?? 0)
    expect(line).toMatchObject({ left: 0, right: 200, bottom: 0, top: 2 })
    expect((await look('/FT/Tx/BS<</W 0>>/MK<</BC[0]>>', '')).count).toBe(0)
  })

  it('draws a different mark for every caption, centered', async () => {
    const counts = new Set<number>()
    for (const caption of ['4', 'l', '8', 'u', 'n', 'H']) {
      const mark = await look(`/FT/Btn/MK<</CA(${caption})>>`, true, [100, 400, 40, 40])
      counts.add(mark.count)
      expect(Math.abs(mark.left - (40 - mark.right))).toBeLessThanOrEqual(3)
      expect(Math.abs(mark.bottom - (40 - mark.top))).toBeLessThanOrEqual(3)
      expect((await look(`/FT/Btn/MK<</CA(${caption})>>`, false, [100, 400, 40, 40])).count).toBe(0)
    }
    expect(counts.size).toBe(6)
  })

  it('shows the part of a list that contains the selected option', async () => {
    const options = Array.from({ length: 20 }, (_, index) => `(${'HH'.repeat(index === 17 ? 6 : 1)})`).join('')
    const list = (value: string) => look(`/FT/Ch/Opt[${options}]`, value, [100, 400, 200, 50])
    expect((await list('HHHHHHHHHHHH')).right).toBeGreaterThan((await list('HH')).right + 40)
  })
})

describe('text that does not fit', () => {
  const long = 'Much longer than any field of two hundred points can be'
  const cases: [string, string, string, Place, object, boolean][] = [
    ['a line of a given size that is too long', '/FT/Tx', long, PLACE, { fontSize: 12 }, true],
    ['a line whose size follows from the field', '/FT/Tx', long, PLACE, { fontSize: 'auto' }, false],
    ['a line of a given size that fits', '/FT/Tx', 'Fits', PLACE, { fontSize: 12 }, false],
    ['a line that is too high', '/FT/Tx', 'Hq', PLACE, { fontSize: 40 }, true],
    [
      'lines that reach below their field',
      '/FT/Tx/Ff 4096',
      `${long} ${long}`,
      [100, 400, 200, 30],
      { fontSize: 12 },
      true,
    ],
    ['lines that fit', '/FT/Tx/Ff 4096', `${long} ${long}`, [100, 400, 200, 80], { fontSize: 12 }, false],
  ]
  for (const [what, entries, value, place, options, isCut] of cases) {
    it(`${isCut ? 'causes a warning' : 'causes no warning'}: ${what}`, async () => {
      const form = new FormDraft()
      form.field(`/T(field)${entries}`, place)
      expect((await runOn('form-filler', form.write(), { fields: { field: value }, ...options })).warnings).toEqual(
        isCut ? ['text-cut'] : [],
      )
    })
  }
})
