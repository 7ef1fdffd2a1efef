import { SMALL_OUTPUT_BYTES } from '../../output-content'
import { spoolOutput } from '../../pool/spool-output'
import type { RenderedPage } from '../page/render-page'
import { BrowserPrinter } from './browser-printer'
import { describeCause, toPlainError } from './printer-messages'
import type { PrinterCommand, Report } from './printer-messages'

// This is the entry point of the printer process. Browser events and the traffic of pages pass through this process, so
// they don't burden the service.

const TELL_EVERY_MS = 500

process.title = 'sheaf-pages'
process.on('disconnect', () => process.exit()) // The service has ended. The browser ends with this process.
process.on('SIGINT', () => {}) // A terminal sends the signal to both processes. The service ends this one after its last response.
process.on('SIGTERM', () => {})

let printer: BrowserPrinter | undefined
const running = new Map<number, AbortController>()

process.on('message', (command: PrinterCommand) => void handleCommand(command))

async function handleCommand(command: PrinterCommand): Promise<void> {
  if (command.kind === 'begin') return begin(command)
  if (command.kind === 'abort') return running.get(command.id)?.abort()
  if (!printer) return
  try {
    if (command.kind === 'print') await print(printer, command)
    else if (command.kind === 'ready') await printer.ready()
    else await printer.close()
    if (command.kind !== 'print') sendReport({ kind: 'done', id: command.id })
  } catch (error) {
    sendReport({ kind: 'failed', id: command.id, error: toPlainError(error) })
  }
}

function begin({ settings }: Extract<PrinterCommand, { kind: 'begin' }>): void {
  const newPrinter = new BrowserPrinter({
    ...settings,
    onNotice: ({ cause, ...notice }) => sendReport({ kind: 'notice', notice, cause: describeCause(cause) }),
  })
  printer = newPrinter
  setInterval(() => sendReport({ kind: 'status', status: newPrinter.status() }), TELL_EVERY_MS)
}

async function print(
  printer: BrowserPrinter,
  { id, job, spoolPath }: Extract<PrinterCommand, { kind: 'print' }>,
): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  try {
    const page = spoolLarge(await printer.print(job, controller.signal), spoolPath)
    sendReport({ kind: 'status', status: printer.status() })
    sendReport({ kind: 'printed', id, page })
  } finally {
    running.delete(id)
  }
}

/** A large print would occupy the memory and the event loop of the service. */
function spoolLarge(page: RenderedPage, path: string): RenderedPage {
  if (page.byteLength <= SMALL_OUTPUT_BYTES) return page
  spoolOutput(path, page.chunks, page.byteLength)
  return { ...page, chunks: [], path }
}

function sendReport(report: Report): void {
  if (process.connected) process.send?.(report, undefined, {}, () => {}) // unnecessary if the service has ended
}
