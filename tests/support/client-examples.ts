import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { type ClientOperation, listClientOperations } from '../../lib/clients/operations'
import { makeFilesFor } from '../contract/documents'
import { startSite, type TestSite } from './site'

/** A documented example that a client can send to a service under test. */
export interface ClientExample {
  operation: ClientOperation
  title: string
  options: Record<string, unknown>
  /** Paths of the files that it sends. */
  files: string[]
}

/** A site in place of the public pages in the examples. */
export function startExampleSite(): Promise<TestSite> {
  const page = '<!doctype html><title>Report</title><h1>Report</h1><p id="charts" class="ready">Charts</p>'
  return startSite({ '/': page, '/report': page })
}

/** Every documented example, with files in a new folder below the system's temporary folder. */
export function listClientExamples(site: TestSite): ClientExample[] {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-examples-'))
  return listClientOperations().flatMap(operation => {
    const takesFiles = operation.files === 'one' || operation.files === 'many'
    const files = (takesFiles ? makeFilesFor(operation.id) : []).map(({ name, bytes }, index) => {
      const isNamed = operation.id === 'pipeline' // Steps name their files.
      const path = join(folder, isNamed ? name : `${operation.id}-${index + 1}${extname(name)}`)
      writeFileSync(path, bytes)
      return path
    })
    return operation.examples.map(({ title, options }) => ({
      operation,
      title,
      files,
      options: typeof options['url'] === 'string' ? { ...options, url: toSite(options['url'], site) } : options,
    }))
  })
}

/** The first example of an operation. */
export function firstExample(examples: readonly ClientExample[], id: string): ClientExample {
  const found = examples.find(({ operation }) => operation.id === id)
  if (!found) throw new Error(`${id} has no example`)
  return found
}

function toSite(url: string, site: TestSite): string {
  return `${site.base}${new URL(url).pathname}`
}
