import { PDFDocument, PDFName, PDFNumber, PDFObjectCopier, PDFRawStream } from 'pdf-lib'
import type { GrayPicture } from '../fixtures/placed-images'
import { renderPage } from './reader'

/** Entries that hide pixels of an image. */
const HIDING = ['SMask', 'Mask', 'OC'].map(key => PDFName.of(key))

/** All images that a file contains, also those that no page shows. PDFium draws each one alone, without its masks. */
export async function picturesOf(file: Uint8Array): Promise<GrayPicture[]> {
  const document = await PDFDocument.load(file, { updateMetadata: false })
  const pictures: GrayPicture[] = []
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue
    const [width, height] = ['Width', 'Height'].map(key => object.dict.lookup(PDFName.of(key)))
    if (!(width instanceof PDFNumber) || !(height instanceof PDFNumber)) continue
    const sheet = await PDFDocument.create()
    const copy = PDFObjectCopier.for(document.context, sheet.context).copy(object)
    for (const key of HIDING) copy.dict.delete(key)
    copy.dict.set(PDFName.of('Type'), PDFName.of('XObject'))
    copy.dict.set(PDFName.of('Subtype'), PDFName.of('Image'))
    const page = sheet.addPage([width.asNumber(), height.asNumber()])
    page.node.set(PDFName.of('Resources'), sheet.context.obj({ XObject: { I: sheet.context.register(copy) } }))
    const content = sheet.context.stream(`${width.asNumber()} 0 0 ${height.asNumber()} 0 0 cm /I Do`)
    page.node.set(PDFName.of('Contents'), sheet.context.register(content))
    const drawn = await renderPage(await sheet.save(), 0)
    const pixels = Uint8Array.from({ length: drawn.width * drawn.height }, (_, at) => drawn.pixels[at * 4] ?? 255)
    pictures.push({ width: drawn.width, height: drawn.height, pixels })
  }
  return pictures
}
