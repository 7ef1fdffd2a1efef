import { createRequire } from 'node:module'
import { runJob } from '../../engines/jobs'
import { INVOICE_JOB } from '../../engines/features/invoice/data/invoice'
import { invoiceSchema } from '../../engines/features/invoice/input/invoice-schema'
import { findPackageFile } from '../../engines/installed-package'
import { findCacheFolder } from '../../engines/webpage/browser/cache-folder'
import { launchBrowser } from '../../engines/webpage/browser/launch-browser'
import { makeFonts, unpackBrowser } from '../../engines/webpage/browser/unpack-browser'
import { LIMITS } from '../support/run-on'
import type { InvoiceContent } from './invoice-content'
import { measureTreeTime } from './process-time'

/** A program that draws invoices, warm in this process. */
export interface InvoiceWriter {
  write(content: InvoiceContent): Promise<Uint8Array>
  /** CPU time in milliseconds that the program has used outside of this process. */
  measureOutside?(): number
  close?(): Promise<void>
}

type OpenWriter = (settings: { makeFontsPath: string }) => Promise<InvoiceWriter>

/** The programs by name. Opening one throws if its package isn't installed. */
export const INVOICE_WRITERS = {
  sheaf: openSheaf,
  unclaimed: openUnclaimed,
  'factur-x': openElectronic,
  typst: openTypst,
  pdfmake: openPdfmake,
  'react-pdf': openReactPdf,
  chromium: openChromium,
} satisfies Record<string, OpenWriter>

export type WriterName = keyof typeof INVOICE_WRITERS

const HEADINGS = ['Description', 'Quantity', 'Price', 'Amount']
const FONTS = {
  normal: '@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf',
  bold: '@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf',
}
const PAGE_LABEL = (page: number, pages: number) => `Page ${page} of ${pages}`

async function openSheaf(): Promise<InvoiceWriter> {
  return {
    async write({ request }) {
      const options = invoiceSchema.parse(request)
      const job = { tool: INVOICE_JOB, options, files: [], limits: LIMITS }
      const { chunks } = await runJob(job, () => undefined)
      return Buffer.concat(chunks)
    },
  }
}

/** The same invoices without claims of PDF/A and PDF/UA. */
async function openUnclaimed(): Promise<InvoiceWriter> {
  const { write } = await openSheaf()
  return { write: content => write({ ...content, request: { ...content.request, conformance: [] } }) }
}

/** The same invoices with their XML inside. */
async function openElectronic(): Promise<InvoiceWriter> {
  const { write } = await openSheaf()
  const withParts = ({ addressLines: [street, city, region], ...party }: InvoiceContent['from']): object => ({
    ...party,
    address: { street, city, region, country: 'GB' },
  })
  return {
    write: content =>
      write({
        ...content,
        request: {
          ...content.request,
          eInvoice: { format: 'factur-x' },
          from: { ...withParts(content.from), vatId: 'GB123456789' },
          billTo: withParts(content.billTo),
        },
      }),
  }
}

interface TypstCompiler {
  pdf(source: { mainFileContent: string; inputs: Record<string, string> }): Buffer
  evictCache(maxAge: number): void
}

/** Memoized layout is evicted after each invoice, because no two invoices of a service are the same. */
async function openTypst(): Promise<InvoiceWriter> {
  const { NodeCompiler } = await importPackage<{ NodeCompiler: { create(): TypstCompiler } }>(
    '@myriaddreamin/typst-ts-node-compiler',
  )
  const compiler = NodeCompiler.create()
  return {
    async write(content) {
      const { request: _, ...data } = content
      const pdf = compiler.pdf({ mainFileContent: TYPST, inputs: { data: JSON.stringify(data) } })
      compiler.evictCache(0)
      return pdf
    },
  }
}

const TYPST = `
#let data = json(bytes(sys.inputs.data))
#set document(title: "Invoice " + data.number)
#set page(paper: "a4", margin: 50pt, footer: context align(right)[
  #set text(size: 8pt)
  Page #counter(page).display() of #counter(page).final().first()
])
#set text(size: 9pt, lang: "en")
#grid(columns: (1fr, auto),
  text(size: 14pt, weight: "bold", data.from.name),
  align(right)[#text(size: 25pt, weight: "bold")[Invoice] \\ #data.number],
)
#let party(label, it) = [#label \\ *#it.name* \\ #it.addressLines.join(linebreak()) \\ #it.email]
#grid(columns: (1fr, 1fr, 1fr),
  party([From], data.from),
  party([Bill to], data.billTo),
  align(right)[Issued #data.issueDate \\ Due #data.dueDate \\ Total #data.total],
)
#v(26pt)
#table(
  columns: (1fr, auto, auto, auto),
  align: (left, right, right, right),
  stroke: (x: none, y: 0.5pt),
  table.header([Description], [Quantity], [Price], [Amount]),
  ..data.lines.map(line => (line.description, line.quantity, line.rate, [*#line.amount*])).flatten(),
)
#grid(columns: (1fr, 1fr),
  [Notes \\ #data.notes],
  table(columns: (1fr, auto), align: (left, right), stroke: none,
    [Subtotal], data.subtotal, data.tax.at(0), data.tax.at(1), [*Total*], [*#data.total*]),
)
`

interface PdfmakeDocument {
  on(event: 'data', take: (chunk: Buffer) => void): void
  on(event: 'end', take: () => void): void
  end(): void
}

async function openPdfmake(): Promise<InvoiceWriter> {
  const { default: Printer } = await importPackage<{
    default: new (fonts: object) => { createPdfKitDocument(definition: object): PdfmakeDocument }
  }>('pdfmake')
  const printer = new Printer({ Arimo: { normal: findPackageFile(FONTS.normal), bold: findPackageFile(FONTS.bold) } })
  return {
    write(content) {
      const document = printer.createPdfKitDocument(describeForPdfmake(content))
      const chunks: Buffer[] = []
      document.on('data', chunk => chunks.push(chunk))
      document.end()
      return new Promise(resolve => document.on('end', () => resolve(Buffer.concat(chunks))))
    },
  }
}

function describeForPdfmake({ number, from, billTo, lines, ...content }: InvoiceContent): object {
  const party = (label: string, { name, addressLines, email }: InvoiceContent['from']) => ({
    stack: [label, { text: name, bold: true }, ...addressLines, email],
  })
  const right = (text: string, bold = false) => ({ text, bold, alignment: 'right' })
  return {
    pageSize: 'A4',
    pageMargins: 50,
    defaultStyle: { font: 'Arimo', fontSize: 9 },
    info: { title: `Invoice ${number}` },
    footer: (page: number, pages: number) => ({
      text: PAGE_LABEL(page, pages),
      alignment: 'right',
      margin: [50, 0],
      fontSize: 8,
    }),
    content: [
      {
        columns: [
          { text: from.name, bold: true, fontSize: 14 },
          { stack: [{ text: 'Invoice', bold: true, fontSize: 25 }, number], alignment: 'right' },
        ],
      },
      {
        columns: [
          party('From', from),
          party('Bill to', billTo),
          right(`Issued ${content.issueDate}\nDue ${content.dueDate}\nTotal ${content.total}`),
        ],
        margin: [0, 26],
      },
      {
        layout: 'lightHorizontalLines',
        table: {
          headerRows: 1,
          widths: ['*', 'auto', 'auto', 'auto'],
          body: [
            HEADINGS,
            ...lines.map(line => [line.description, right(line.quantity), right(line.rate), right(line.amount, true)]),
          ],
        },
      },
      {
        columns: [
          { stack: ['Notes', content.notes] },
          {
            layout: 'noBorders',
            table: {
              widths: ['*', 'auto'],
              body: [
                ['Subtotal', right(content.subtotal)],
                [content.tax[0], right(content.tax[1])],
                ['Total', right(content.total, true)],
              ],
            },
          },
        ],
        margin: [0, 16],
      },
    ],
  }
}

interface ReactPdf {
  Font: { register(font: object): void }
  Document: string
  Page: string
  View: string
  Text: string
  renderToBuffer(element: unknown): Promise<Buffer>
}

async function openReactPdf(): Promise<InvoiceWriter> {
  const { Font, Document, Page, View, Text, renderToBuffer } = await importPackage<ReactPdf>('@react-pdf/renderer')
  const { createElement } = await import('react')
  Font.register({
    family: 'Arimo',
    fonts: [{ src: findPackageFile(FONTS.normal) }, { src: findPackageFile(FONTS.bold), fontWeight: 700 }],
  })
  const view = (style: object, ...children: unknown[]) => createElement(View, { style } as object, ...(children as []))
  const text = (value: string, style: object = {}) => createElement(Text, { style } as object, value)
  const cells = (values: string[], isLast = false) =>
    createElement(
      View,
      {
        style: { flexDirection: 'row', borderBottom: '0.5pt solid #dddddd', paddingVertical: 6 },
        wrap: false,
      } as object,
      ...values.map((value, index) =>
        text(value, {
          flex: index === 0 ? 4 : 1,
          textAlign: index === 0 ? 'left' : 'right',
          fontWeight: isLast && index === 3 ? 700 : 400,
        }),
      ),
    )
  const party = (label: string, { name, addressLines, email }: InvoiceContent['from']) =>
    view({ flex: 1 }, text(label), text(name, { fontWeight: 700 }), ...[...addressLines, email].map(line => text(line)))
  const total = ([label, value]: [string, string], fontWeight = 400) =>
    view(
      { flexDirection: 'row', justifyContent: 'space-between' },
      text(label, { fontWeight }),
      text(value, { fontWeight }),
    )
  return {
    write: content =>
      renderToBuffer(
        createElement(
          Document,
          { title: `Invoice ${content.number}` } as object,
          createElement(
            Page,
            { size: 'A4', style: { padding: 50, fontFamily: 'Arimo', fontSize: 9 } } as object,
            view(
              { flexDirection: 'row', justifyContent: 'space-between' },
              text(content.from.name, { fontSize: 14, fontWeight: 700 }),
              view({}, text('Invoice', { fontSize: 25, fontWeight: 700 }), text(content.number)),
            ),
            view(
              { flexDirection: 'row', marginVertical: 26 },
              party('From', content.from),
              party('Bill to', content.billTo),
              text(`Issued ${content.issueDate}\nDue ${content.dueDate}\nTotal ${content.total}`, { flex: 1 }),
            ),
            cells(HEADINGS),
            ...content.lines.map(line => cells([line.description, line.quantity, line.rate, line.amount], true)),
            view(
              { flexDirection: 'row', marginTop: 16 },
              view({ flex: 1 }, text('Notes'), text(content.notes)),
              view(
                { flex: 1 },
                total(['Subtotal', content.subtotal]),
                total(content.tax),
                total(['Total', content.total], 700),
              ),
            ),
            createElement(Text, {
              fixed: true,
              style: { position: 'absolute', bottom: 25, right: 50, fontSize: 8 },
              render: ({ pageNumber, totalPages }: { pageNumber: number; totalPages: number }) =>
                PAGE_LABEL(pageNumber, totalPages),
            } as object),
          ),
        ),
      ),
  }
}

async function openChromium({ makeFontsPath }: { makeFontsPath: string }): Promise<InvoiceWriter> {
  const cache = findCacheFolder(undefined)
  const [unpacked, fontsPath] = await Promise.all([unpackBrowser(cache), makeFonts(cache, makeFontsPath)])
  const { browser, pid = 0, close } = await launchBrowser({ ...unpacked, fontsPath, hasSandbox: true })
  const page = await browser.newPage()
  return {
    async write(content) {
      await page.setContent(writeHtml(content))
      return page.pdf({
        format: 'A4',
        margin: { top: 50, bottom: 50, left: 50, right: 50 },
        displayHeaderFooter: true,
        headerTemplate: '<span></span>',
        footerTemplate:
          '<div style="font-size:8pt">Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>',
      })
    },
    measureOutside: () => measureTreeTime(pid),
    close,
  }
}

function writeHtml({ number, from, billTo, lines, ...content }: InvoiceContent): string {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const party = (label: string, { name, addressLines, email }: InvoiceContent['from']) =>
    `<div>${label}<br><b>${escape(name)}</b><br>${[...addressLines, email].map(escape).join('<br>')}</div>`
  const row = (tag: string, cells: string[]) =>
    `<tr>${cells.map(cell => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`
  return `<!doctype html><html lang="en"><title>Invoice ${number}</title><style>
body{font:9pt Arimo,sans-serif;margin:0}header,section{display:flex;justify-content:space-between;margin-bottom:26pt}
table{width:100%;border-collapse:collapse}td,th{text-align:right;padding:5pt 0;border-bottom:.5pt solid #ddd}
td:first-child,th:first-child{text-align:left}td:last-child{font-weight:bold}</style>
<header><b style="font-size:14pt">${escape(from.name)}</b><div><h1>Invoice</h1>${number}</div></header>
<section>${party('From', from)}${party('Bill to', billTo)}<div>Issued ${content.issueDate}<br>Due ${content.dueDate}
<br>Total ${content.total}</div></section>
<table><thead>${row('th', HEADINGS)}</thead><tbody>${lines
    .map(line => row('td', [line.description, line.quantity, line.rate, line.amount]))
    .join('')}</tbody></table>
<section><div>Notes<br>${content.notes}</div><table style="width:50%">${row('td', ['Subtotal', content.subtotal])}${row(
    'td',
    content.tax,
  )}${row('td', ['Total', content.total])}</table></section>`
}

/** Imports a package that may be missing. Its type is the caller's reading of the package's documentation. */
async function importPackage<Package>(name: string): Promise<Package> {
  createRequire(import.meta.url).resolve(name)
  return (await import(name)) as Package
}
