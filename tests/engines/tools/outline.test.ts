import { PDFDocument, degrees } from 'pdf-lib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { runJob } from '../../../engines/jobs'
import { type OutlineArea, OUTLINE_JOB } from '../../../engines/types'
import { renderPage } from '../../support/reader'
import { LIMITS, runOn } from '../../support/run-on'

const SCALE = 2
/** Distance in points by which an outline may differ from what the tool draws. */
const TOLERANCE_PT = 2
const NOW = new Date('2026-11-24T00:00:00Z')
const IMAGE = (
  await sharp({ create: { width: 20, height: 10, channels: 3, background: '#203040' } })
    .png()
    .toBuffer()
).toString('base64')

const METADATA = { title: 'A title', author: 'Ada', subject: '' }

/** Blank pages: an upright one, a rotated one with a CropBox, and a small one. */
const SIZES: [number, number][] = [
  [595, 842],
  [700, 500],
  [200, 150],
]

async function blankFile(): Promise<Buffer> {
  const document = await PDFDocument.create()
  document.addPage([595, 842])
  const turned = document.addPage([600, 800])
  turned.setCropBox(50, 60, 500, 700)
  turned.setRotation(degrees(90))
  document.addPage([200, 150])
  return Buffer.from(await document.save())
}

async function outline(tool: string, options: Record<string, unknown>, pageIndex: number): Promise<OutlineArea[]> {
  const request = { tool, options, pages: SIZES, pageIndex, fileName: 'blank.pdf', metadata: METADATA }
  const { chunks } = await runJob(
    { tool: OUTLINE_JOB, options: request, files: [], limits: LIMITS, now: NOW },
    () => undefined,
  )
  return JSON.parse(Buffer.concat(chunks).toString()) as OutlineArea[]
}

interface Edges {
  left: number
  top: number
  right: number
  bottom: number
}

/** Returns the edges of everything that isn't white, in points from the upper-left corner. */
async function inkOf(bytes: Buffer, pageIndex: number): Promise<Edges> {
  const { width, height, pixels } = await renderPage(bytes, pageIndex, { scale: SCALE })
  const edges = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (let at = 0; at < width * height; at++) {
    const [blue = 0, green = 0, red = 0] = [pixels[at * 4], pixels[at * 4 + 1], pixels[at * 4 + 2]]
    if (blue > 250 && green > 250 && red > 250) continue
    const [x, y] = [(at % width) / SCALE, Math.floor(at / width) / SCALE]
    edges.left = Math.min(edges.left, x)
    edges.right = Math.max(edges.right, x + 1 / SCALE)
    edges.top = Math.min(edges.top, y)
    edges.bottom = Math.max(edges.bottom, y + 1 / SCALE)
  }
  return edges
}

/** Returns the edges of all places that are on the page. */
function edgesOf(places: OutlineArea[], [pageWidth, pageHeight]: [number, number]): Edges {
  const corners = places.flatMap(({ matrix: [a, b, c, d, e, f], width, height }) =>
    [
      [0, 0],
      [width, 0],
      [0, height],
      [width, height],
    ].map(([x = 0, y = 0]) => [a * x + c * y + e, pageHeight - (b * x + d * y + f)] as const),
  )
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return {
    left: Math.max(0, Math.min(...xs)),
    top: Math.max(0, Math.min(...ys)),
    right: Math.min(pageWidth, Math.max(...xs)),
    bottom: Math.min(pageHeight, Math.max(...ys)),
  }
}

const EXACT: [string, Record<string, unknown>][] = [
  ['add-watermark', { text: 'CONFIDENTIAL', position: 'top-right', fontSize: 24, opacity: 1 }],
  ['add-watermark', { text: 'Two\nlines', position: 'bottom-left', rotation: 90, opacity: 1 }],
  ['add-watermark', { text: '機密', position: 'center', fontSize: 30, opacity: 0.5, margin: '20mm' }],
  [
    'add-watermark',
    { text: 'Page {page} of {total}', position: 'middle-right', offset: { x: -20, y: 30 }, opacity: 1 },
  ],
  [
    'add-watermark',
    {
      image: { name: 'a.png', dataBase64: IMAGE },
      position: 'bottom-center',
      scale: 0.3,
      opacity: 1,
    },
  ],
  ['add-watermark', { text: 'DRAFT', position: 'tile', fontSize: 20, rotation: 30, layer: 'under', opacity: 1 }],
  ['page-numbers', { background: '#ff0000', position: 'top-outer', fontSize: 14 }],
]
/** The boxes of these texts are as high as a line, and their ink isn't. */
const INSIDE: [string, Record<string, unknown>][] = [
  ['page-numbers', { position: 'bottom-center', format: 'page-of-total' }],
  [
    'page-numbers',
    { position: 'outer', margin: '15mm', offset: { x: -10, y: 5 }, format: '{page:roman}', startNumber: 8 },
  ],
  ['header-footer', { header: { left: '{filename}', right: '{date}' }, fontSize: 12 }],
  ['header-footer', { footerText: 'A long footer that must wrap on a small page, in up to three lines', margin: 20 }],
]

describe.each([0, 1, 2])('page %i of the outline', pageIndex => {
  const size = SIZES[pageIndex] ?? [0, 0]

  it.each(EXACT)('is where the tool draws: %s %#', async (tool, options) => {
    const { bytes } = await runOn(tool, await blankFile(), options, { now: NOW, name: 'blank.pdf' })
    const [ink, edges] = [await inkOf(bytes, pageIndex), edgesOf(await outline(tool, options, pageIndex), size)]
    for (const side of ['left', 'top', 'right', 'bottom'] as const)
      expect(Math.abs(ink[side] - edges[side]), side).toBeLessThanOrEqual(
        options['position'] === 'tile' ? 25 : TOLERANCE_PT,
      )
  })

  it.each(INSIDE)('contains what the tool draws: %s %j', async (tool, options) => {
    const { bytes } = await runOn(tool, await blankFile(), options, { now: NOW, name: 'blank.pdf' })
    const [ink, edges] = [await inkOf(bytes, pageIndex), edgesOf(await outline(tool, options, pageIndex), size)]
    expect(Math.abs(ink.left - edges.left)).toBeLessThanOrEqual(TOLERANCE_PT)
    expect(Math.abs(ink.right - edges.right)).toBeLessThanOrEqual(TOLERANCE_PT)
    expect(ink.top).toBeGreaterThanOrEqual(edges.top - TOLERANCE_PT)
    expect(ink.bottom).toBeLessThanOrEqual(edges.bottom + TOLERANCE_PT)
    expect(edges.bottom - edges.top - (ink.bottom - ink.top)).toBeLessThan(12)
  })
})

it('has nothing on pages that the options leave out, and names the texts', async () => {
  expect(await outline('page-numbers', { pages: '2-' }, 0)).toEqual([])
  expect(await outline('page-numbers', { pages: '2-' }, 2)).toMatchObject([{ text: 'Page 2 of 2', opacity: 1 }])
  expect(await outline('add-watermark', { text: 'A', opacity: 0.3, pages: 'last' }, 2)).toMatchObject([
    { text: 'A', opacity: 0.3 },
  ])
})

it('fills placeholders with the properties of the document', async () => {
  const [place] = await outline('header-footer', { headerText: '{title} by {author}{subject}' }, 0)
  expect(place?.text).toBe('A title by Ada')
})

it('returns the errors of the tool', async () => {
  await expect(outline('add-watermark', { text: 'A', pages: '9' }, 0)).rejects.toMatchObject({
    reason: 'page_missing',
  })
  await expect(outline('rotate-pdf', { angle: 90 }, 0)).rejects.toMatchObject({ reason: 'internal' })
})
