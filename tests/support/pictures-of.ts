import { decodePDFRawStream, PDFDocument, PDFName, PDFNumber, PDFObjectCopier, PDFRawStream } from 'pdf-lib'
import type { GrayPicture } from '../fixtures/placed-images'
import { renderPage } from './reader'

/** Entries that hide pixels of an image. */
const HIDING = ['SMask', 'Mask', 'OC'].map(key => PDFName.of(key))

/**
 * All images that a file contains, also those that no page shows. PDFium draws each one alone, without its masks. Inline
 * images must be in streams with a color space of one name.
 */
export async function picturesOf(file: Uint8Array): Promise<GrayPicture[]> {
  const document = await PDFDocument.load(file, { updateMetadata: false })
  const pictures: GrayPicture[] = []
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue
    const [width, height] = ['Width', 'Height'].map(key => object.dict.lookup(PDFName.of(key)))
    if (width instanceof PDFNumber && height instanceof PDFNumber)
      pictures.push(
        await drawAlone(width.asNumber(), height.asNumber(), sheet => {
          const copy = PDFObjectCopier.for(document.context, sheet.context).copy(object)
          for (const key of HIDING) copy.dict.delete(key)
          copy.dict.set(PDFName.of('Type'), PDFName.of('XObject'))
          copy.dict.set(PDFName.of('Subtype'), PDFName.of('Image'))
          return { content: '/I Do', resources: { XObject: { I: sheet.context.register(copy) } } }
        }),
      )
    else pictures.push(...(await inlinePicturesOf(object)))
  }
  return pictures
}

async function inlinePicturesOf(stream: PDFRawStream): Promise<GrayPicture[]> {
  const filter = stream.dict.lookup(PDFName.of('Filter'))
  if (filter !== undefined && filter !== PDFName.of('FlateDecode')) return []
  const content = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
  const pictures: GrayPicture[] = []
  for (const [image] of content.matchAll(/BI [^]*? EI|BI [^]*?\nEI/g)) {
    const [width, height] = [/\/W(?:idth)? (\d+)/, /\/H(?:eight)? (\d+)/].map(key => Number(key.exec(image)?.[1]))
    if (width && height) pictures.push(await drawAlone(width, height, () => ({ content: image, resources: {} })))
  }
  return pictures
}

async function drawAlone(
  width: number,
  height: number,
  add: (sheet: PDFDocument) => { content: string; resources: Record<string, unknown> },
): Promise<GrayPicture> {
  const sheet = await PDFDocument.create()
  const page = sheet.addPage([width, height])
  const { content, resources } = add(sheet)
  page.node.set(PDFName.of('Resources'), sheet.context.obj(resources as Record<string, never>))
  const stream = sheet.context.stream(Buffer.from(`${width} 0 0 ${height} 0 0 cm ${content}`, 'latin1'))
  page.node.set(PDFName.of('Contents'), sheet.context.register(stream))
  const drawn = await renderPage(await sheet.save(), 0)
  const pixels = Uint8Array.from({ length: drawn.width * drawn.height }, (_, at) => drawn.pixels[at * 4] ?? 255)
  return { width: drawn.width, height: drawn.height, pixels }
}
