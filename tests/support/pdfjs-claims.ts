import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/**
 * The conformance claims of a file's XMP as PDF.js reads them, such as `pdfa 2B` and `pdfua 1`, and its PDF version.
 */
export async function readPdfjsClaims(pdf: Uint8Array): Promise<{ claims: string[]; version: string; title: unknown }> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  const document = await task.promise
  try {
    const { info, metadata } = await document.getMetadata()
    const read = (name: string): string => String(metadata?.get(name) ?? '')
    const pdfa = `${read('pdfaid:part')}${read('pdfaid:conformance')}`
    const pdfua = read('pdfuaid:part')
    return {
      claims: [...(pdfa ? [`pdfa ${pdfa}`] : []), ...(pdfua ? [`pdfua ${pdfua}`] : [])],
      version: 'PDFFormatVersion' in info ? String(info.PDFFormatVersion) : '',
      title: metadata?.get('dc:title'),
    }
  } finally {
    await task.destroy()
  }
}
