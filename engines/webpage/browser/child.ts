import { BrowserPrinter } from './browser-printer'
import { describeCause, toPlainError } from './printer-messages'
import type { PrinterCommand, Report } from './printer-messages'

// The printer process: a browser's events and all traffic of pages come through here, and not through the service.

const TELL_EVERY_MS = 500

process.title = 'sheaf-pages'
process.on('disconnect', () => process.exit()) // the service is gone; without us the browser ends too
process.on('SIGINT', () => {}) // pressed for the service, which ends us when its calls are answered
process.on('SIGTERM', () => {})

let printer: BrowserPrinter | undefined
const running = new Map<number, AbortController>()

process.on('message', (order: PrinterCommand) => void obey(order))

async function obey(order: PrinterCommand): Promise<void> {
  if (order.kind === 'begin') return begin(order)
  if (order.kind === 'abort') return running.get(order.id)?.abort()
  if (!printer) return
  try {
    if (order.kind === 'print') await print(printer, order)
    else if (order.kind === 'ready') await printer.ready()
    else await printer.close()
    if (order.kind !== 'print') tell({ kind: 'done', id: order.id })
  } catch (error) {
    tell({ kind: 'failed', id: order.id, error: toPlainError(error) })
  }
}

function begin({ settings }: Extract<PrinterCommand, { kind: 'begin' }>): void {
  const made = new BrowserPrinter({
    ...settings,
    onNotice: ({ cause, ...notice }) => tell({ kind: 'notice', notice, cause: describeCause(cause) }),
  })
  printer = made
  setInterval(() => tell({ kind: 'status', status: made.status() }), TELL_EVERY_MS)
}

async function print(printer: BrowserPrinter, { id, job }: Extract<PrinterCommand, { kind: 'print' }>): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  try {
    const page = await printer.print(job, controller.signal)
    tell({ kind: 'status', status: printer.status() })
    tell({ kind: 'printed', id, page })
  } finally {
    running.delete(id)
  }
}

function tell(report: Report): void {
  if (process.connected) process.send?.(report, undefined, {}, () => {}) // a service that is gone needs no telling
}
