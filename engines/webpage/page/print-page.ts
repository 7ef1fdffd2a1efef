import type { Page, PDFOptions } from 'puppeteer'
import { toPoints } from '../../options/lengths'
import { notRendered } from './page-guard'
import type { PageGuard } from './page-guard'
import { measurePaper, resolveMargins } from '../request/options'
import type { PageOptions } from '../request/options'

const POINTS_PER_PIXEL = toPoints(1, 'px')
const TALLEST_PT = toPoints(200, 'in')
const MAX_PDF_BYTES = 250_000_000

/** A printed PDF, in the chunks in which the browser sent it. */
export interface Print {
  chunks: Uint8Array[]
  byteLength: number
}

/**
 * Prints a page that is ready. Prints one page more than allowed, so that the next step detects a document that is too
 * long.
 */
export async function printPage(page: Page, guard: PageGuard, options: PageOptions): Promise<Print> {
  const settings = options.singlePage ? await fitOnePage(page, guard, options) : describePrint(options)
  const stream = await guard.race(page.createPDFStream(settings))
  return readAll(stream, guard)
}

function describePrint(options: PageOptions): PDFOptions {
  const { headerTemplate, footerTemplate, maxPages } = options
  const paper = measurePaper(options)
  const margins = resolveMargins(options)
  return {
    width: inches(paper.width),
    height: inches(paper.height),
    margin: {
      top: inches(margins.top),
      right: inches(margins.right),
      bottom: inches(margins.bottom),
      left: inches(margins.left),
    },
    scale: options.scale,
    printBackground: options.printBackground,
    preferCSSPageSize: options.preferCssPageSize,
    omitBackground: options.omitBackground,
    tagged: options.tagged,
    outline: options.outline,
    pageRanges: `1-${maxPages + 1}`,
    ...(headerTemplate === undefined && footerTemplate === undefined
      ? {}
      : { displayHeaderFooter: true, headerTemplate: wrap(headerTemplate), footerTemplate: wrap(footerTemplate) }),
    waitForFonts: false,
    timeout: 0,
  }
}

/** Returns print settings with paper as tall as the content. The width of the paper stays. */
async function fitOnePage(page: Page, guard: PageGuard, options: PageOptions): Promise<PDFOptions> {
  const { width } = measurePaper(options)
  const { top, right, bottom, left } = resolveMargins(options)
  const contentWidth = Math.max(1, Math.round((width - left - right) / POINTS_PER_PIXEL / options.scale))
  await guard.race(page.setViewport({ width: contentWidth, height: 100, deviceScaleFactor: options.deviceScaleFactor }))
  const pixels = await guard.race(
    page.evaluate(() =>
      Math.max(document.documentElement.scrollHeight, document.documentElement.getBoundingClientRect().height),
    ),
  )
  const height = Math.ceil(pixels) * POINTS_PER_PIXEL * options.scale + top + bottom + 1
  return {
    ...describePrint(options),
    preferCSSPageSize: false,
    height: inches(Math.min(TALLEST_PT, Math.max(height, top + bottom + 10))),
  }
}

/** Sets a readable font size, because the browser's default for headers and footers is too small. */
function wrap(template: string | undefined): string {
  return template === undefined
    ? '<span></span>'
    : `<div style="font-size:9px;width:100%;margin:0 10mm">${template}</div>`
}

async function readAll(stream: ReadableStream<Uint8Array>, guard: PageGuard): Promise<Print> {
  const reader = stream.getReader()
  const print: Print = { chunks: [], byteLength: 0 }
  for (;;) {
    const { done, value } = await guard.race(reader.read())
    if (done) return print
    print.chunks.push(value)
    print.byteLength += value.length
    if (print.byteLength > MAX_PDF_BYTES) throw notRendered(`the print has more than ${MAX_PDF_BYTES} bytes`)
  }
}

function inches(points: number): string {
  return `${points / 72}in`
}
