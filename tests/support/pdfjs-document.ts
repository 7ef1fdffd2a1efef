import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

type PdfjsDocument = Awaited<ReturnType<typeof getDocument>['promise']>

/** Opens a PDF with PDF.js for a single query. */
export async function withPdfjs<Result>(
  file: Uint8Array,
  read: (document: PdfjsDocument) => Promise<Result>,
  password?: string,
): Promise<Result> {
  const protection = password === undefined ? {} : { password }
  const task = getDocument({ data: new Uint8Array(file), verbosity: 0, isEvalSupported: false, ...protection })
  try {
    return await read(await task.promise)
  } finally {
    await task.destroy()
  }
}
