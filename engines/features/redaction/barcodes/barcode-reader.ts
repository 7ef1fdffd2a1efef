import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { EngineError } from '../../../errors'
import { limitWork } from '../../ocr/recognizer/work-time-limit'
import { writePgm } from '../../ocr/scans/gray-image'
import type { GrayImage } from '../../ocr/scans/gray-image'
import { findPackageFile } from '../../../installed-package'

/** A position in an image, in pixels from its upper-left corner. */
export interface Point {
  x: number
  y: number
}

/** A barcode that was read in an image. */
export interface Barcode {
  text: string
  /** The kind, such as `QRCode` or `EAN13`. */
  format: string
  /** The corners around the code. They start at its own upper-left corner and run clockwise, as a person holds it. */
  corners: [Point, Point, Point, Point]
  /** Whether its bars have no data in their second dimension, so that any line across them has all of it. */
  isLinear: boolean
  /** Codes with the same id have one text together. Undefined if a code stands alone. `index` is its position, from 0. */
  sequence: { id: string; index: number } | undefined
}

/** Maximum number of codes that are read in one image. The library takes at most 255. */
const MOST_CODES = 255

interface WorkerResponse {
  found?: Barcode[]
  problem?: string
}

/**
 * The program of the thread. It is a string and not a file, because a bundler that bundles the process into one file would
 * miss a second file. The package would load its WebAssembly file from the network, so the bytes are passed to it.
 */
const WORKER_PROGRAM = `
'use strict'
const { parentPort, workerData } = require('node:worker_threads')
const opening = import(workerData.script).then(reader => {
  reader.setZXingModuleOverrides({ wasmBinary: workerData.wasm.buffer })
  return reader
})
async function read(image) {
  const reader = await opening
  const options = { tryHarder: true, tryRotate: true, tryInvert: true, tryDownscale: true, maxNumberOfSymbols: ${MOST_CODES} }
  const codes = await reader.readBarcodes(image, options)
  return codes.filter(({ isValid }) => isValid).map(code => {
    const { topLeft, topRight, bottomRight, bottomLeft } = code.position
    return {
      text: code.text,
      format: code.format,
      corners: [topLeft, topRight, bottomRight, bottomLeft],
      isLinear: reader.LINEAR_BARCODE_FORMATS.includes(code.format),
      sequence: code.sequenceSize === -1 ? undefined : { id: code.sequenceId, index: code.sequenceIndex },
    }
  })
}
parentPort.on('message', image => {
  read(image).then(
    found => parentPort.postMessage({ found }),
    error => parentPort.postMessage({ problem: String(error) }),
  )
})
`

/** Reads barcodes and QR codes in a separate thread, which ends if an image takes too long. Call `close` at the end. */
export class BarcodeReader {
  private thread: Worker | undefined

  /**
   * Returns the codes of an image. Throws EngineError `timed-out` after `limitMs` of processor time, and `internal` if the
   * reader fails.
   */
  async read(image: GrayImage, limitMs: number): Promise<Barcode[]> {
    try {
      const thread = (this.thread ??= await startThread())
      const { result } = await limitWork(ask(thread, writePgm(image)), limitMs)
      if (result.problem !== undefined) throw new Error(result.problem)
      return result.found ?? []
    } catch (error) {
      await this.close()
      if (error instanceof EngineError) throw error
      throw new EngineError('internal', 'Barcodes could not be read.', { cause: error })
    }
  }

  async close(): Promise<void> {
    const { thread } = this
    this.thread = undefined
    await thread?.terminate()
  }
}

async function startThread(): Promise<Worker> {
  const script = pathToFileURL(findPackageFile('zxing-wasm/reader')).href
  const wasm = new Uint8Array(await readFile(findPackageFile('zxing-wasm/reader/zxing_reader.wasm')))
  return new Worker(WORKER_PROGRAM, { eval: true, env: {}, workerData: { script, wasm } })
}

function ask(thread: Worker, image: Uint8Array<ArrayBuffer>): Promise<WorkerResponse> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new Error('the thread has ended'))
    thread.once('error', reject)
    thread.once('exit', end)
    thread.once('message', (response: WorkerResponse) => {
      thread.off('error', reject)
      thread.off('exit', end)
      resolve(response)
    })
    thread.postMessage(image, [image.buffer])
  })
}
