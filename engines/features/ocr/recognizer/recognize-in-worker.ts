import type { Quarters } from '../scans/gray-image'
import type { RecognizedBlock } from './recognition'

/** The data that a thread is started with. */
export interface WorkerData {
  /** The path of the script that belongs to the module. */
  script: string
  module: WebAssembly.Module
  /**
   * The paths of the build that detects orientation, and of its model. Undefined if they aren't installed.
   */
  orientation: { script: string; model: string } | undefined
}

/** A request to a thread. A thread handles one request at a time. */
export type WorkerRequest =
  /** Resets the adaptation and loads these languages. */
  | { kind: 'begin'; models: { language: string; path: string }[]; variables: Record<string, string> }
  /**
   * Recognizes an image (a PGM file), and detects its orientation if the mean confidence is below `orientsBelow`.
   */
  | { kind: 'read'; image: Uint8Array<ArrayBuffer>; dpi: number; levels: boolean; orientsBelow: number }

/** The response to a `read` request. The response to a `begin` request is empty. `problem` is set after a failure. */
export interface WorkerResponse {
  blocks?: RecognizedBlock[]
  angle?: number
  /** The clockwise quarter turns that correct the orientation of the image. Missing if not requested or not certain. */
  quarters?: Quarters
  problem?: string
}

/**
 * The program of a recognizer thread. It calls the bindings of tesseract.js-core directly, because tesseract.js returns
 * every letter with all alternatives. That took a sixth of the time of a page. The program is a string and not a file.
 * A bundler that bundles the process into one file would miss a second file.
 */
export const WORKER_PROGRAM = `
'use strict'
const { readFileSync } = require('node:fs')
const { parentPort, workerData } = require('node:worker_threads')
const { gunzipSync } = require('node:zlib')

// Values of PageIteratorLevel in Tesseract's publictypes.h.
const [BLOCK, PARAGRAPH, LINE, WORD] = [0, 1, 2, 3]
// OEM_LSTM_ONLY of OcrEngineMode. The installed language models are for the LSTM recognizer.
const LSTM_ONLY = 1
// Smaller slopes, in radians, make no difference for leveling lines.
const LEAST_SLOPE = 0.005
const GZIP = 0x1f
// OEM_TESSERACT_ONLY of OcrEngineMode: the legacy recognizer, which detects the orientation from the shapes of letters.
const LEGACY_ONLY = 0
// The minimum confidence of a detected orientation.
const LEAST_SURE = 2
// For each detected orientation, the quarter turns that make the image upright.
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
