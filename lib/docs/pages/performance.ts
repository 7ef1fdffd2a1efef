import { findEndpoint } from '../endpoints'
import { listSlowerJobs, SPEED, type SpeedFigure, type SpeedFigures } from '../speed'
import { heading, list, prose, type Block, type DocsPage } from './page'

/** Titles of the published files. The benchmark makes these files. */
const FILE_TITLES = new Map([
  ['medium', 'Medium'],
  ['mediumCompressed', 'Medium, object streams'],
  ['large', 'Large'],
  ['largeCompressed', 'Large, object streams'],
])

const FILE_CONTENTS = new Map([
  ['medium', 'Text, images, links, tags and small drawings'],
  ['mediumCompressed', 'The same content, stored in object streams'],
  ['large', 'Text only'],
  ['largeCompressed', 'The same content, stored in object streams'],
])

const QPDF_JOBS: Record<SpeedFigures['tools'][number]['qpdfDoes'], string> = {
  'the same': 'The same job',
  'an overlay': 'Overlays one page',
  'a rewrite': 'Rewrites the file',
}

/** Returns the page about processor times in comparison with qpdf. */
export function describePerformance(): DocsPage {
  return {
    slug: 'performance',
    title: 'Performance',
    lead: 'How much processor time the tools need, compared with the qpdf command line.',
    blocks: [
      heading('What is compared'),
      list(
        'Each figure is a ratio. The processor time of Sheaf is divided by the processor time of qpdf. Both use the same file.',
        'Below 1, Sheaf needs less time. Above 1, Sheaf needs more.',
        'Sheaf runs the job in an engine process that has run this job before, as on a busy server.',
        'qpdf starts for each job, as on the command line. Its time includes this start.',
        `Each job runs at least ${SPEED.rounds} times, in turns with qpdf. The figure is the median.`,
        'If qpdf cannot do the same job, the figure compares with a similar job. In that case, qpdf rewrites the ' +
          'file, or overlays one page on all pages.',
        'The figures do not include the HTTP request, the upload and the download.',
      ),
      heading('Conditions'),
      {
        kind: 'facts',
        facts: [
          { name: 'Date', text: SPEED.date },
          { name: 'Machine', text: `${SPEED.machine}, without other load` },
          { name: 'qpdf', text: `Version ${SPEED.qpdf}` },
          { name: 'Processor time', text: 'User and system time of the process' },
        ],
      },
      prose('The benchmark makes the files. They have the same bytes in every run.'),
      {
        kind: 'table',
        columns: ['File', 'Size', 'Pages', 'Content'],
        rows: SPEED.files.map(({ name, bytes, pages }) => ({
          cells: [titleOf(name), `${(bytes / 2 ** 20).toFixed(1)} MB`, count(pages), FILE_CONTENTS.get(name) ?? ''],
        })),
      },
      heading('Results'),
      {
        kind: 'table',
        columns: ['Tool', 'Job of qpdf', ...SPEED.files.map(({ name }) => titleOf(name))],
        rows: SPEED.tools.map(({ tool, qpdfDoes, figures }) => ({
          cells: [
            writeToolLink(tool),
            QPDF_JOBS[qpdfDoes],
            ...SPEED.files.map(({ name }) => writeRatio(figures.find(({ file }) => file === name))),
          ],
        })),
      },
      ...describeTimes(),
      ...describeSlowerJobs(),
      heading('Measure it yourself'),
      prose(
        'Run this command in the repository of Sheaf, on a machine without other load. It requires qpdf, and ' +
          'replaces the figures of this page.',
      ),
      { kind: 'code', language: 'sh', text: 'npm run bench -- engine --publish', what: 'the benchmark command' },
    ],
  }
}

/** The times behind the ratios, for the files whose times were kept. */
function describeTimes(): Block[] {
  const files = SPEED.files.filter(({ name }) =>
    SPEED.tools.some(({ figures }) => figures.some(figure => figure.file === name && writeTimes(figure) !== '')),
  )
  if (files.length === 0) return []
  return [
    heading('Processor times', 3),
    prose('Each cell has the time of Sheaf first, then the time of qpdf.'),
    {
      kind: 'table',
      columns: ['Tool', ...files.map(({ name }) => titleOf(name))],
      rows: SPEED.tools.map(({ tool, figures }) => ({
        cells: [
          writeToolLink(tool),
          ...files.map(({ name }) => writeTimes(figures.find(({ file }) => file === name)) || 'Not kept'),
        ],
      })),
    },
  ]
}

function describeSlowerJobs(): Block[] {
  const slower = listSlowerJobs()
  if (slower.length === 0)
    return [heading('Where qpdf is faster'), prose('In this run, Sheaf needed at most as much time as qpdf.')]
  return [
    heading('Where qpdf is faster'),
    prose('In this run, Sheaf needed more processor time than qpdf for these jobs:'),
    list(
      ...slower.map(
        ({ tool, figure }) => `${writeToolLink(tool)}, file “${titleOf(figure.file)}”: ${writeRatio(figure)}`,
      ),
    ),
  ]
}

function writeToolLink(tool: string): string {
  return findEndpoint(tool) === undefined ? `\`${tool}\`` : `[${tool}](/docs/${tool})`
}

function writeRatio(figure: SpeedFigure | undefined): string {
  return figure === undefined ? 'Not measured' : figure.ratio.toFixed(2)
}

function writeTimes({ ms, qpdfMs }: Partial<SpeedFigure> = {}): string {
  return ms === undefined || qpdfMs === undefined ? '' : `${writeMs(ms)}, ${writeMs(qpdfMs)}`
}

const titleOf = (file: string): string => FILE_TITLES.get(file) ?? file
const writeMs = (ms: number): string => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
const count = (value: number): string => value.toLocaleString('en')
