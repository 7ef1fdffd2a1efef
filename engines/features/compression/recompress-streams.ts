import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib'
import { isEngineError } from '../../errors'
import type { Deflate, PdfDocument } from '../../pdf/document'
import { copyDict, decodeStream, findReachable, readFilters } from '../../pdf/document'
import * as Name from '../../pdf/names'

/** Filters whose data is text or isn't compressed well, so that Flate replaces them. */
const CODING = ['Filter', 'DecodeParms', 'F', 'DP', 'Length', 'DL', 'FFilter', 'FDecodeParms'].map(name =>
  PDFName.of(name),
)

/** Data below this size isn't worth the entry for its filter. */
const LEAST_BYTES = 64

/** Predictors from this one on are those of PNG. Deflated image rows with them are rarely smaller without them. */
const PNG_PREDICTORS = 10

/**
 * Decodes the general filters of all streams and deflates the data with `deflate`, if that is smaller. Leaves out damaged streams, and metadata streams if `keepsMetadata` is true, because PDF/A-1 doesn't allow filters
 * there.
 */
export function recompressStreams(
  document: PdfDocument,
  { deflate, keepsMetadata }: { deflate: Deflate; keepsMetadata: boolean },
): void {
  const roots = [document.rootRef, document.infoRef].flatMap(ref => ref?.objectNumber ?? [])
  const reached = findReachable(document, roots)
  for (const slot of reached.inOrder()) {
    if (!reached.isStream(slot)) continue
    const ref = reached.refOf(slot)
    const stream = document.peek(ref)
    if (!(stream instanceof PDFRawStream)) continue
    if (keepsMetadata && document.peek(stream.dict.get(Name.Type)) === Name.Metadata) continue
    const smaller = recompress(document, stream, deflate)
    if (smaller) document.store.set(ref, smaller)
  }
}

function recompress(
  document: PdfDocument,
  { dict, contents }: PDFRawStream,
  deflate: Deflate,
): PDFRawStream | undefined {
  const resolve = (value: Parameters<PdfDocument['peek']>[0]) => document.peek(value)
  // /F names an external file. Its data isn't in this stream.
  if (dict.has(Name.F) || dict.has(Name.FFilter)) return undefined
  try {
    const filters = readFilters(dict, resolve)
    const isPredicted = filters.some(({ parameters }) => (parameters.Predictor ?? 1) >= PNG_PREDICTORS)
    if (filters.length === 1 && isPredicted) return deflateAgain(document, { dict, contents }, deflate)
    let isDamaged = false
    const note = (): void => void (isDamaged = true)
    const bytes = decodeStream(dict, contents, resolve, document.limits.maxStreamBytes, note)
    if (!bytes || isDamaged || (filters.length === 0 && bytes.length < LEAST_BYTES)) return undefined
    const data = deflate(bytes)
    if (bytes.length <= data.length && bytes.length < contents.length) return withData(document, dict, bytes)
    return data.length < contents.length ? withData(document, dict, data, Name.FlateDecode) : undefined
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too_large') return undefined
    throw error
  }
}

/** Inflates data with a predictor and deflates it again with the same predictor. */
function deflateAgain(
  document: PdfDocument,
  { dict, contents }: Pick<PDFRawStream, 'dict' | 'contents'>,
  deflate: Deflate,
): PDFRawStream | undefined {
  const resolve = (value: Parameters<PdfDocument['peek']>[0]) => document.peek(value)
  const [filter] = readFilters(dict, resolve)
  if (filter?.name !== 'FlateDecode' && filter?.name !== 'Fl') return undefined
  const plain = PDFDict.withContext(document.context)
  plain.set(Name.Filter, Name.FlateDecode)
  let isDamaged = false
  const note = (): void => void (isDamaged = true)
  const rows = decodeStream(plain, contents, resolve, document.limits.maxStreamBytes, note)
  if (!rows || isDamaged) return undefined
  const data = deflate(rows)
  return data.length < contents.length ? PDFRawStream.of(copyDict(document, dict), data) : undefined
}

/** Returns a stream with other data, coded by `filter` without parameters. All other entries stay. */
export function withData(document: PdfDocument, dict: PDFDict, data: Uint8Array, filter?: PDFName): PDFRawStream {
  const entries = new Map(dict.entries().filter(([key]) => !CODING.includes(key)))
  if (filter) entries.set(Name.Filter, filter)
  return PDFRawStream.of(PDFDict.fromMapWithContext(entries, document.context), data)
}
