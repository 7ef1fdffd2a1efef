import { decodePDFRawStream, PDFArray, PDFDocument, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'
import { renderPage } from '../reader'

/** The largest difference of a channel, from 0 to 255, in a uniform area. */
const TOLERANCE = 8

/** Points beside the edges of an area where its color may mix with the surroundings. */
const EDGE = 3

/** A drawn box: an artifact that only fills rectangles. */
const BOX = /\/Artifact\s*(?:<<[^>]*>>\s*BDC|BMC)(?:(?!\bEMC\b)[\s\S])*?\bre\s+f\b(?:(?!\bEMC\b)[\s\S])*?EMC/g

/** The file without the boxes that a redaction drew on page 1, as a curious reader would remove them. */
async function removeBoxes(file: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(file, { updateMetadata: false })
  const { context } = document
  const contents = document.getPage(0).node.get(PDFName.of('Contents'))
  const listed = context.lookup(contents)
  const items = listed instanceof PDFArray ? listed.asArray() : [contents]
  for (const item of items) {
    const stream = context.lookup(item)
    if (!(stream instanceof PDFRawStream)) continue
    const text = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
    const ref = item instanceof PDFRef ? item : context.getObjectRef(stream)
    if (ref && BOX.test(text)) context.assign(ref, context.flateStream(Buffer.from(text.replace(BOX, ''), 'latin1')))
    BOX.lastIndex = 0
  }
  return document.save({ updateFieldAppearances: false })
}

/** The number of unchanged channels at which an area's image still counts as present. Chance leaves fewer unchanged. */
const SAME_SHARE = 0.25

/** Returns whether an area of page 1 without the redaction's boxes still shows the original content. */
export async function isStillShown(
  before: Uint8Array,
  after: Uint8Array,
  area: { x: number; y: number; width: number; height: number },
): Promise<boolean> {
  if (await isUniformUnderBoxes(after, area)) return false
  const [one, other] = [await renderPage(before, 0), await renderPage(await removeBoxes(after), 0)]
  let [same, all] = [0, 0]
  for (let y = Math.ceil(one.height - area.y - area.height) + EDGE; y < one.height - area.y - EDGE; y++) {
    for (let x = Math.ceil(area.x) + EDGE; x < area.x + area.width - EDGE; x++) {
      const at = (y * one.width + x) * 4
      all++
      if (Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0)) <= TOLERANCE) same++
    }
  }
  return same > SAME_SHARE * all
}

/** Returns whether an area of page 1 without the redaction's boxes shows one color only. */
export async function isUniformUnderBoxes(
  file: Uint8Array,
  area: { x: number; y: number; width: number; height: number },
): Promise<boolean> {
  const { width, height, pixels } = await renderPage(await removeBoxes(file), 0)
  const first = { x: Math.ceil(area.x) + EDGE, y: Math.ceil(height - area.y - area.height) + EDGE }
  const last = { x: Math.floor(area.x + area.width) - EDGE, y: Math.floor(height - area.y) - EDGE }
  const start = (first.y * width + first.x) * 4
  for (let y = first.y; y < last.y; y++) {
    for (let x = first.x; x < last.x; x++) {
      const at = (y * width + x) * 4
      if ([0, 1, 2].some(part => Math.abs((pixels[at + part] ?? 0) - (pixels[start + part] ?? 0)) > TOLERANCE))
        return false
    }
  }
  return true
}
