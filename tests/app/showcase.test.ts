import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SHOWCASE, SHOWCASE_RESULT, writeShowcaseSamples } from '../../lib/docs/start-page/showcase'
import { drawShowcase, readWebp, WEBP_TOLERANCE } from '../fixtures/draw-showcase'
import { readPdf } from '../support/reader'

const showcase = await drawShowcase()
const readPublic = (path: string): Buffer => readFileSync(join('public', path))

it('offers the file of the shown request and its result, as the engine returns it', () => {
  expect([...showcase.files.keys()]).toEqual([`samples/${SHOWCASE.file}`, `samples/${SHOWCASE.result}`])
  for (const [path, bytes] of showcase.files) expect(bytes.equals(readPublic(path)), path).toBe(true)
})

it('shows images of these two files', async () => {
  for (const [path, { drawn }] of showcase.images) {
    const shown = await readWebp(readPublic(path))
    expect([shown.width, shown.height], path).toEqual([drawn.width, drawn.height])
    const difference = drawn.pixels.reduce(
      (most, value, index) => Math.max(most, Math.abs(value - (shown.pixels[index] ?? 0))),
      0,
    )
    expect(difference, path).toBeLessThan(WEBP_TOLERANCE)
  }
})

it('shows the headers of this response, and the size of the images', () => {
  expect(SHOWCASE_RESULT).toEqual(showcase.facts)
})

it('shows a request for this redaction in every language', () => {
  const [name, iban] = SHOWCASE.options.search
  const samples = writeShowcaseSamples('https://api.example.com')
  expect(samples.map(({ id }) => id)).toEqual(['curl', 'node', 'python'])
  for (const { text } of samples)
    for (const word of [`/pdf-tools/${SHOWCASE.tool}`, SHOWCASE.file, SHOWCASE.result, name?.text, iban?.preset])
      expect(text).toContain(word)
})

it('sends exactly these options with curl, in five narrow lines', () => {
  const [{ text } = { text: '' }] = writeShowcaseSamples('https://api.example.com')
  const lines = text.split('\n')
  expect(lines).toHaveLength(5)
  expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(68)
  expect(JSON.parse(/options='([^']+)'/.exec(text)?.[1] ?? '')).toEqual(SHOWCASE.options)
})

it('removes the name and the IBAN, and nothing else', async () => {
  const read = async (name: string) => (await readPdf(readPublic(`samples/${name}`))).pages[0]?.text ?? ''
  const [before, after] = [await read(SHOWCASE.file), await read(SHOWCASE.result)]
  for (const secret of ['Ada Reyes', 'DE89 3704 0044 0532 0130 00']) {
    expect(before).toContain(secret)
    expect(after).not.toContain(secret)
  }
  for (const words of ['Nordhafen Freight', 'EUR 2,617.40', 'has 14 days of leave left.'])
    expect(after).toContain(words)
})
