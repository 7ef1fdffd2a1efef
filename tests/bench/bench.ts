import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveBare } from './bare-server'
import { measureEngineGoals } from './engine-goals'
import { ENGINE_JOBS } from './engine-jobs'
import { measureInvoices } from './invoice'
import { measureOcr } from './ocr'
import { publishSpeed } from './publish-speed'
import { measurePipelines } from './pipeline'
import { print } from './report'
import { startOnPostgres, type RunningService } from './running-service'
import { measureNeighbors, measureUploadMemory } from './service-load'
import { measureServiceSpeed } from './service-speed'
import { measurePages } from './webpage'

// `npm run bench [-- engine [pipeline | part of a job's title] | webpage | ocr | invoice | speed | memory | neighbors …]` runs everything
// without arguments. Absolute figures depend on the machine and its other load. Ratios are measured side by side.
// `npm run bench -- engine --publish` writes the comparison with qpdf into the documentation.

const folder = dirname(fileURLToPath(import.meta.url))
// This script is bundled beside this file.
const enginePath = join(folder, 'engine.mjs')
const jobPath = join(folder, 'job.mjs')
const invoicePath = join(folder, 'invoice.mjs')
const fontsPath = join(folder, 'fonts.mjs')
const printing = { childPath: join(folder, 'pages.mjs'), makeFontsPath: fontsPath }

const SERVICE_SECTIONS: Record<string, (service: RunningService) => Promise<void>> = {
  speed: service => measureServiceSpeed(service, enginePath),
  memory: measureUploadMemory,
  neighbors: measureNeighbors,
}

async function main([first, ...rest]: string[]): Promise<void> {
  if (first === 'bare') return serveBare(rest[0] ?? enginePath)
  print(`Node ${process.version}, ${availableParallelism()} cores; ! marks a missed goal`)
  if (first === 'engine' && rest.includes('--publish')) return publishSpeed(jobPath)
  if (first === 'engine' && rest[0] === 'pipeline') return measurePipelines(jobPath)
  if (first === 'engine') {
    const part = rest.join(' ')
    await measureEngineGoals(
      jobPath,
      ENGINE_JOBS.filter(({ title }) => title.includes(part)),
    )
    return
  }
  if (first === 'webpage') return measurePages(enginePath, printing)
  if (first === 'ocr') return measureOcr()
  if (first === 'invoice') return measureInvoices(invoicePath, fontsPath)
  const chosen = first === undefined ? Object.keys(SERVICE_SECTIONS) : [first, ...rest]
  const unknown = chosen.filter(name => !Object.hasOwn(SERVICE_SECTIONS, name))
  if (unknown.length > 0)
    throw new Error(
      `no section ${unknown.join(', ')}; there are engine, webpage, ocr, invoice, ${Object.keys(SERVICE_SECTIONS).join(', ')}`,
    )
  if (first === undefined) await measureEngineGoals(jobPath)
  if (first === undefined) await measurePages(enginePath, printing)
  if (first === undefined) await measureOcr()
  if (first === undefined) await measureInvoices(invoicePath, fontsPath)
  const service = await startOnPostgres()
  try {
    for (const name of chosen) await SERVICE_SECTIONS[name]?.(service)
  } finally {
    await service.stop()
  }
}

await main(process.argv.slice(2))
