import { expect } from 'vitest'
import { pageWith } from '../fixtures/annotations'
import { readPdf, renderPage } from './reader'
import type { Image } from './reader'
import { runOn } from './run-on'
import { StrictPdf } from './strict-pdf'

/** A file after flatten-pdf, as PDFium sees its first page. */
export interface Flattened {
  bytes: Buffer
  image: Image
  text: string
  annotationCount: number
  warnings: string[]
}

/** Flattens a file and expects a valid result. */
export async function flatten(source: Buffer, options: unknown = {}): Promise<Flattened> {
  const { bytes, warnings } = await runOn('flatten-pdf', source, options)
  expect(new StrictPdf(bytes).problems).toEqual([])
  const [page] = (await readPdf(bytes)).pages
  const image = await renderPage(bytes, 0)
  return { bytes, image, warnings, text: page?.text ?? '', annotationCount: page?.annotationCount ?? -1 }
}

/** Flattens a page that has one annotation. */
export function flattenOne(entries: string, options: unknown = {}): Promise<Flattened> {
  return flatten(pageWith([entries]), options)
}

/** Returns whether two pages are equal in every pixel. */
export function isSame(one: Flattened, other: Flattened): boolean {
  return one.image.pixels.equals(other.image.pixels)
}

/** The color at a point of the page as red, green and blue. The origin is the lower-left corner. */
export function colorAt({ image: { width, height, pixels } }: Flattened, x: number, y: number): number[] {
  const at = ((height - 1 - Math.floor(y)) * width + Math.floor(x)) * 4
  return [2, 1, 0].map(channel => pixels[at + channel] ?? -1)
}
