import type { PDFDict } from 'pdf-lib'
import { DecodedBytes, tooLarge } from './decoded-bytes'
import { applyFilters, readFilters } from './filters'
import type { Resolve, StreamFilter } from './filters'
import { inflateChunks } from './inflate'
import { PredictorRows } from './predictors'
import { decodeLzw, decodeRunLength } from './run-length-lzw'

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * Decodes a stream like `decodeStream`, but in chunks that are made on demand, so that at most a few megabytes are in
 * memory. The total size has no limit. Stop reading when you have enough. Undefined if a filter isn't a general one, or
 * if nothing can be decoded. Don't change the chunks. Throws EngineError `too_large` if the data between two filters,
 * or a row of a predictor, exceeds `maxBytes`.
 */
export async function decodeInChunks(
  dict: PDFDict,
  data: Uint8Array,
  resolve: Resolve,
  maxBytes: number,
): Promise<Chunks | undefined> {
  const filters = readFilters(dict, resolve)
  const last = filters.at(-1)
  const inner = applyFilters(filters.slice(0, -1), data, maxBytes)
  if (!last || !inner) return inner && [inner]
  const chunks = filterChunks(last, inner, maxBytes)
  const predictor = PredictorRows.of(last.parameters)
  if (!chunks || predictor === undefined) return undefined
  if (predictor && predictor.codedBytes > maxBytes) throw tooLarge(maxBytes)
  const iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
  const first = await iterator.next()
  if (first.done) return inner.length === 0 ? [inner] : undefined
  const allChunks = startedWith(first.value, iterator)
  return predictor ? undoChunks(allChunks, predictor) : allChunks
}

/** The output of one filter, without its predictor. */
function filterChunks(filter: StreamFilter, data: Uint8Array, maxBytes: number): Chunks | undefined {
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
    for (let chunk = first; ;) {
      yield chunk
      const next = await rest.next()
      if (next.done) return
      chunk = next.value
    }
  } finally {
    await rest.return?.()
  }
}

async function* undoChunks(chunks: AsyncIterable<Uint8Array>, predictor: PredictorRows): AsyncGenerator<Uint8Array> {
  for await (const rows of inUnits(chunks, predictor.codedBytes)) yield predictor.undo(rows)
}

/** Regroups the chunks into chunks of whole units. The last chunk may end within a unit. */
export async function* inUnits(chunks: Chunks, unitBytes: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length < unitBytes) continue
    const joined = parts.length === 1 ? chunk : Buffer.concat(parts)
    const end = length - (length % unitBytes)
    yield joined.subarray(0, end)
    parts = end < length ? [joined.subarray(end)] : []
    length -= end
  }
  if (length > 0) yield Buffer.concat(parts)
}
