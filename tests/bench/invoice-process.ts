import { makeInvoiceContent } from './invoice-content'
import { INVOICE_WRITERS, type WriterName } from './invoice-writers'
import type { InvoiceRequest, InvoiceResponse } from './invoice'

// A separate warm process for one program that draws invoices. It measures itself on request.
const [, , name = '', makeFontsPath = ''] = process.argv
const writer = await INVOICE_WRITERS[name as WriterName]({ makeFontsPath }) // The parent passes a known name.
let seed = 0

process.on('message', (request: InvoiceRequest) => void respond(request))
send({ kind: 'ready' })

async function respond({ lineCount, forMs }: InvoiceRequest): Promise<void> {
  if (forMs === undefined) {
    await writer.close?.()
    process.exit(0)
  }
  const times: number[] = []
  let pdf: Uint8Array = new Uint8Array()
  const started = performance.now()
  // Different invoices each time, because a service never draws the same one twice.
  do {
    const content = makeInvoiceContent(lineCount, ++seed)
    const before = measure()
    pdf = await writer.write(content)
    times.push(measure() - before)
  } while (performance.now() - started < forMs)
  send({ kind: 'drawn', cpuMs: times.reduce((sum, time) => sum + time, 0) / times.length, seed, pdf: Buffer.from(pdf) })
}

function measure(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + (writer.measureOutside?.() ?? 0)
}

function send(response: InvoiceResponse): void {
  process.send?.(response)
}
