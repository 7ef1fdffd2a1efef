import type { PDFDict } from 'pdf-lib'
import { DecodedBytes, tooLarge } from './decoded-bytes'
import { applyFilters, readFilters } from './filters'
import type { Resolve, StreamFilter } from './filters'
import { inflateChunks } from './inflate'
import { PredictorRows } from './predictors'
import { decodeLzw, decodeRunLength } from './run-length-lzw'

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * The decoded bytes of a stream as `decodeStream` gives them, in pieces that are made when they are asked for: no more
 * than a few megabytes are held. There is no bound on all of them: stop when there is enough. Undefined when a filter
 * is not a general one, or when nothing can be decoded. The pieces must not be changed. Throws EngineError `too-large`
 * when what stands between two filters, or a row of a predictor, is more than `maxBytes`.
 */
export async function decodeInChunks(
  dict: PDFDict,
  data: Uint8Array,
  resolve: Resolve,
  maxBytes: number,
): Promise<Pieces | undefined> {
  const filters = readFilters(dict, resolve)
  const last = filters.at(-1)
  const inner = applyFilters(filters.slice(0, -1), data, maxBytes)
  if (!last || !inner) return inner && [inner]
  const pieces = piecesOf(last, inner, maxBytes)
  const predictor = PredictorRows.of(last.parameters)
  if (!pieces || predictor === undefined) return undefined
  if (predictor && predictor.codedBytes > maxBytes) throw tooLarge(maxBytes)
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
  const first = await iterator.next()
  if (first.done) return inner.length === 0 ? [inner] : undefined
  const all = startedWith(first.value, iterator)
  return predictor ? undoPieces(all, predictor) : all
}

/** What comes out of one filter, without its predictor. */
function piecesOf(filter: StreamFilter, data: Uint8Array, maxBytes: number): Pieces | undefined {
  const { name = '', parameters } = filter
  if (name === 'FlateDecode' || name === 'Fl') return inflateChunks(data)
  if (name === 'LZWDecode' || name === 'LZW') return takeSteps(output => decodeLzw(data, parameters, output))
  if (name === 'RunLengthDecode' || name === 'RL') return takeSteps(output => decodeRunLength(data, output))
  const whole = applyFilters([filter], data, maxBytes)
  return whole && [whole]
}

function* takeSteps(decode: (output: DecodedBytes) => Iterator<void>): Generator<Uint8Array> {
  const output = new DecodedBytes(Infinity)
  const steps = decode(output)
  while (!steps.next().done) yield output.take()
  yield output.take()
}

type Rest = Iterator<Uint8Array> | AsyncIterator<Uint8Array>

async function* startedWith(first: Uint8Array, rest: Rest): AsyncGenerator<Uint8Array> {
  try {
    for (let piece = first; ;) {
      yield piece
      const next = await rest.next()
      if (next.done) return
      piece = next.value
    }
  } finally {
    await rest.return?.()
  }
}

async function* undoPieces(pieces: AsyncIterable<Uint8Array>, predictor: PredictorRows): AsyncGenerator<Uint8Array> {
  for await (const rows of inUnits(pieces, predictor.codedBytes)) yield predictor.undo(rows)
}

/** The same bytes in pieces of whole units; the last one may end within a unit. */
export async function* inUnits(pieces: Pieces, unitBytes: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    parts.push(piece)
    length += piece.length
    if (length < unitBytes) continue
    const joined = parts.length === 1 ? piece : Buffer.concat(parts)
    const end = length - (length % unitBytes)
    yield joined.subarray(0, end)
    parts = end < length ? [joined.subarray(end)] : []
    length -= end
  }
  if (length > 0) yield Buffer.concat(parts)
}
