import type { Quarters } from '../image/gray-image'
import type { RecognizedBlock } from './recognition'

/** What a thread is started with. */
export interface WorkerData {
  /** Path of the script that goes with the module. */
  script: string
  module: WebAssembly.Module
  /**
   * Paths of the script of the build that tells orientations, and of its model; undefined where they are not installed.
   */
  orientation: { script: string; model: string } | undefined
}

/** What a thread is asked for, one thing at a time. */
export type WorkerRequest =
  /** To forget what was read before, and to read these languages. */
  | { kind: 'begin'; models: { language: string; path: string }[]; variables: Record<string, string> }
  /**
   * To read a image, a PGM file, and to tell how it lies when what is read has less mean confidence than
   * `orientsBelow`.
   */
  | { kind: 'read'; image: Uint8Array<ArrayBuffer>; dpi: number; levels: boolean; orientsBelow: number }

/** What it answers to the second kind; to the first it answers nothing, and `problem` when it fails. */
export interface WorkerResponse {
  blocks?: RecognizedBlock[]
  angle?: number
  /** Quarter turns clockwise that make it upright; missing where that was not asked for, or is not sure. */
  quarters?: Quarters
  problem?: string
}

/**
 * The program of a thread that reads images with Tesseract: the modules of tesseract.js-core are called by their
 * bindings, because all that tesseract.js itself can answer with is every letter with all that it might be, which took
 * a sixth of the time of a page. Text instead of a file: a bundler that makes one file of the process knows nothing of
 * a second one.
 */
export const WORKER_PROGRAM = `
'use strict'
const { readFileSync } = require('node:fs')
const { parentPort, workerData } = require('node:worker_threads')
const { gunzipSync } = require('node:zlib')

// PageIteratorLevel, in Tesseract's publictypes.h.
const [BLOCK, PARAGRAPH, LINE, WORD] = [0, 1, 2, 3]
// OcrEngineMode: the newer kind of recognizer alone, whose models are the ones that are installed.
const LSTM_ONLY = 1
// Radians below which levelling lines makes no difference.
const LEAST_SLOPE = 0.005
const GZIP = 0x1f
// The older kind of recognizer, which tells orientations by the shapes of letters; how sure it has to be; its answers as
// quarter turns that take them back.
const LEGACY_ONLY = 0
const LEAST_SURE = 2
const TURNS_BACK = [0, 3, 2, 1]

const opening = require(workerData.script)({
  instantiateWasm(imports, done) {
    WebAssembly.instantiate(workerData.module, imports).then(instance => done(instance, workerData.module), fail)
    return {}
  },
  TesseractProgress() {},
  print() {},
  printErr() {},
})
const loaded = new Map()
let api

async function begin({ models, variables }) {
  const core = await opening
  for (const { language, path } of models) {
    if (loaded.get(language) === path) continue
    const bytes = readFileSync(path)
    core.FS.writeFile('/' + language + '.traineddata', bytes[0] === GZIP ? gunzipSync(bytes) : bytes)
    loaded.set(language, path)
  }
  api?.End()
  api?.__destroy__()
  api = new core.TessBaseAPI()
  if (api.Init(null, models.map(({ language }) => language).join('+'), LSTM_ONLY) !== 0) throw new Error('the models can not be used')
  for (const [name, value] of Object.entries(variables)) api.SetVariable(name, value)
  return {}
}

async function read({ image, dpi, levels, orientsBelow }) {
  const core = await opening
  core.FS.writeFile('/input', image)
  api.SetVariable('user_defined_dpi', String(dpi))
  setPicture(0)
  let angle = 0
  if (levels) {
    api.FindLines()
    const slope = api.GetGradient()
    if (Math.abs(slope) >= LEAST_SLOPE) setPicture((angle = slope))
  }
  api.Recognize(null)
  const blocks = listBlocks()
  const isPoor = api.MeanTextConf() < orientsBelow
  api.Clear()
  return { blocks, angle, quarters: isPoor && workerData.orientation ? await orient(image, dpi) : undefined }
}

let orienting

async function orient(image, dpi) {
  const { core, api } = await (orienting ??= openOrientation())
  core.FS.writeFile('/input', image)
  api.SetVariable('user_defined_dpi', String(dpi))
  if (api.SetImageFile(1, 0) === 1) return undefined
  const results = new core.OSResults()
  try {
    if (!api.DetectOS(results)) return undefined
    const { orientation_id, oconfidence } = results.best_result
    return oconfidence >= LEAST_SURE ? TURNS_BACK[orientation_id] : undefined
  } finally {
    results.__destroy__()
    api.Clear()
  }
}

async function openOrientation() {
  const core = await require(workerData.orientation.script)({ TesseractProgress() {}, print() {}, printErr() {} })
  core.FS.writeFile('/osd.traineddata', gunzipSync(readFileSync(workerData.orientation.model)))
  const api = new core.TessBaseAPI()
  if (api.Init(null, 'osd', LEGACY_ONLY) !== 0) throw new Error('the model of orientations can not be used')
  return { core, api }
}

function setPicture(angle) {
  if (api.SetImageFile(1, angle) === 1) throw new Error('the image can not be used')
}

function listBlocks() {
  const blocks = []
  const words = api.GetIterator()
  words.Begin()
  let paragraph, line
  do {
    if (words.Empty(WORD)) continue
    if (!line || words.IsAtBeginningOf(BLOCK)) blocks.push({ paragraphs: [] })
    if (!line || words.IsAtBeginningOf(PARAGRAPH)) blocks.at(-1).paragraphs.push((paragraph = { lines: [] }))
    if (!line || words.IsAtBeginningOf(LINE)) {
      const { x0, y0, x1, y1 } = words.getBaseline(LINE)
      paragraph.lines.push((line = { words: [], baseline: { x0, y0, x1, y1 }, rowHeight: words.getRowAttributes().row_height }))
    }
    line.words.push({ text: words.GetUTF8Text(WORD), confidence: words.Confidence(WORD), bbox: words.getBoundingBox(WORD) })
  } while (words.Next(WORD))
  words.__destroy__()
  return blocks
}

function fail(error) {
  parentPort.postMessage({ problem: String(error) })
}

parentPort.on('message', request => {
  const work = request.kind === 'begin' ? begin(request) : read(request)
  work.then(answer => parentPort.postMessage(answer), fail)
})
`
