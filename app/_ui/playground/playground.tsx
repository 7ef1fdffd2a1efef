'use client'

import { lazy, Suspense, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { FailureNote } from '../forms/failure-note'
import { useRefresh } from '../forms/use-refresh'
import { CurlPanel, SentRequest } from './request/curl-panel'
import { FilesPanel } from './files/files-panel'
import { loadSample } from './files/load-sample'
import { EditorPanel } from './pages/editor-panel'
import type { Shelf } from './form/applicable-fields'
import { FormContext } from './form/form-context'
import { OptionsPanel, type Mode } from './form/options-panel'
import { PagesPanel } from './preview/pages-panel'
import { withMember, type PlacedProblem } from './form/field-path'
import type { PlaygroundEndpoint, PlaygroundTerms } from './request/playground-endpoint'
import classes from './playground.module.css'
import { ResultPanel } from './request/result-panel'
import { RunPanel } from './request/run-panel'
import type { JsonObject } from './form/field-shapes'
import type { FileOutcome } from './request/response-details'
import { useRun, type SentForm } from './request/use-run'

/** Loaded after the first redaction. */
const RedactionProof = lazy(async () => ({ default: (await import('./pages/redaction-proof')).RedactionProof }))

const NO_PROBLEMS: PlacedProblem[] = []

interface Props {
  endpoint: PlaygroundEndpoint
  terms: PlaygroundTerms
  balance: number
}

/** Lets a visitor try an operation: its files, options, run, response and pages, and the same request with curl. */
export function Playground({ endpoint, terms, balance }: Props) {
  const prefix = useId()
  // Only the browser stores the form, so the server's HTML matches an empty form.
  const [files, setFiles] = useState<File[]>(() => findSavedForm(endpoint.slug)?.files ?? [])
  const [options, setOptions] = useState<JsonObject>(
    () => findSavedForm(endpoint.slug)?.options ?? endpoint.start.options,
  )
  const hasStartFiles = useStartFiles(endpoint, files, setFiles)
  const [mode, setMode] = useState<Mode>('form')
  const [brokenJson, setBrokenJson] = useState<string | undefined>()
  const [brokenFields, setBrokenFields] = useState<ReadonlySet<string>>(new Set())
  const [hasTriedToRun, setTriedToRun] = useState(false)
  const run = useRun(endpoint)
  const refresh = useRefresh()
  const [balanceBefore, setBalanceBefore] = useState(balance)
  // The page's balance is newer than that of the response if it has changed since the run.
  const shownBalance = (balance === balanceBefore ? run.response?.balance : undefined) ?? balance
  const notice = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (files.length > 0 || options !== endpoint.start.options) saveForm(endpoint.slug, { files, options })
  }, [endpoint, files, options])
  useEffect(() => {
    if (run.response || run.failure !== null) notice.current?.focus()
  }, [run.response, run.failure])

  useEffect(() => {
    if (run.response?.balance === 0) void refresh()
  }, [run.response, refresh])

  const reportBroken = useCallback((key: string, isBroken: boolean) => {
    setBrokenFields(before => {
      if (before.has(key) === isBroken) return before
      const next = new Set(before)
      if (isBroken) next.add(key)
      else next.delete(key)
      return next
    })
  }, [])
  const outcome = run.response?.outcome
  const problems = outcome?.kind === 'error' ? outcome.problems : NO_PROBLEMS
  const [shelf] = useState<Shelf>(() => new Map())
  const form = useMemo(() => ({ prefix, problems, shelf, reportBroken }), [prefix, problems, shelf, reportBroken])
  const output = outcome?.kind === 'file' ? outcome : undefined
  const obstacle = hasTriedToRun
    ? findObstacle(endpoint, files, brokenJson !== undefined || brokenFields.size > 0)
    : null

  function chooseFiles(newFiles: File[]) {
    setFiles(newFiles)
    // The service accepts only one of the three. The latest choice applies.
    if (endpoint.files === 'html' && newFiles.length > 0)
      setOptions(before => withMember(withMember(before, 'url', undefined), 'html', undefined))
  }

  function chooseOptions(next: JsonObject) {
    setOptions(next)
    if (endpoint.files === 'html' && files.length > 0 && (next['url'] !== undefined || next['html'] !== undefined))
      setFiles([])
  }

  function start() {
    setTriedToRun(true)
    setBalanceBefore(balance)
    if (findObstacle(endpoint, files, brokenJson !== undefined || brokenFields.size > 0) === null)
      run.start(options, files)
  }

  function showField(key: string) {
    setMode('form')
    // Waits until the form is rendered.
    requestAnimationFrame(() => {
      const field = document.getElementById(`${prefix}${key}`) ?? document.getElementById(`${prefix}${key}-group`)
      field?.focus()
      field?.scrollIntoView({ block: 'center' })
    })
  }

  return (
    <FormContext value={form}>
      <div className={classes.columns} data-editor={endpoint.editor !== undefined}>
        <div className={classes.column}>
          {endpoint.files !== 'none' && (
            <FilesPanel
              endpoint={endpoint}
              terms={terms}
              files={files}
              replacesFiles={hasStartFiles}
              onChange={chooseFiles}
              problems={problems.filter(isAboutFiles).map(({ message }) => message)}
            />
          )}
          {endpoint.editor && files[0] && (
            <EditorPanel
              editor={endpoint.editor}
              tool={endpoint.slug}
              file={files[0]}
              options={options}
              onChange={chooseOptions}
            />
          )}
          <OptionsPanel
            endpoint={endpoint}
            options={options}
            onChange={chooseOptions}
            mode={mode}
            onMode={setMode}
            brokenJson={brokenJson}
            onBrokenJson={setBrokenJson}
          />
        </div>
        <div className={`${classes.column} ${classes.runColumn}`}>
          <RunPanel
            balance={shownBalance}
            moreCredits={terms.moreCredits}
            progress={run.progress}
            isRunning={run.isRunning}
            obstacle={obstacle}
            onRun={start}
            onCancel={run.cancel}
          >
            {run.failure !== null && <FailureNote ref={notice}>{run.failure}</FailureNote>}
            {run.response && outcome && (
              <ResultPanel ref={notice} facts={run.response} outcome={outcome} terms={terms} onShowField={showField}>
                {run.sent && (
                  <SentRequest
                    endpoint={endpoint}
                    origin={terms.origin}
                    options={run.sent.options}
                    files={run.sent.files}
                    outputName={output?.name ?? endpoint.responseName}
                    requestId={run.response.loggedId}
                  />
                )}
              </ResultPanel>
            )}
          </RunPanel>
          <OutputPanel endpoint={endpoint} files={files} sent={run.sent} output={output} />
          <CurlPanel
            endpoint={endpoint}
            origin={terms.origin}
            options={options}
            files={files}
            outputName={output?.name ?? endpoint.responseName}
          />
        </div>
      </div>
    </FormContext>
  )
}

/**
 * Shows the pages of both files. An editor already shows the input, so the output is alone, or beside the version that
 * was sent if the editor can compare them.
 */
function OutputPanel({
  endpoint,
  files,
  sent,
  output,
}: {
  endpoint: PlaygroundEndpoint
  files: File[]
  sent: SentForm | null
  output: FileOutcome | undefined
}) {
  const input = sent?.files[0]
  if (endpoint.editor === 'redaction' && input && output?.contentType === 'application/pdf')
    return (
      <Suspense>
        <RedactionProof input={input} output={output.blob} options={sent.options} />
      </Suspense>
    )
  return <PagesPanel files={endpoint.editor ? [] : files} output={output} />
}

/**
 * Loads the sample files that the form begins with, unless the visitor has chosen files here before. Returns whether
 * the files are these samples.
 */
function useStartFiles({ slug, start }: PlaygroundEndpoint, files: File[], setFiles: (files: File[]) => void): boolean {
  const [samples, setSamples] = useState<File[] | null>(null)
  useEffect(() => {
    if (start.files.length === 0 || findSavedForm(slug) !== undefined) return
    let isCurrent = true
    Promise.all(start.files.map(loadSample)).then(
      loaded => {
        if (!isCurrent || findSavedForm(slug)?.files.length) return
        setSamples(loaded)
        setFiles(loaded)
      },
      () => undefined, // The visitor can still choose a file.
    )
    return () => {
      isCurrent = false
    }
  }, [slug, start, setFiles])
  return samples !== null && files === samples
}

/** Returns why a request isn't worth sending, because the service would refuse it for the same reason. */
function findObstacle(endpoint: PlaygroundEndpoint, files: File[], isBroken: boolean): string | null {
  const { least, most = Infinity } = endpoint.fileCount
  if (endpoint.files === 'one' && files.length === 0) return 'Choose a PDF or a sample first.'
  if (endpoint.files === 'many' && files.length > most) return `Keep only ${most} files. Remove the others first.`
  if (endpoint.files === 'many' && files.length < least)
    return least === 1 ? 'Choose a file or a sample first.' : 'Choose at least two files or samples first.'
  return isBroken ? 'Some options aren’t valid JSON. Correct them first.' : null
}

function isAboutFiles({ path, param }: PlacedProblem): boolean {
  return path === undefined ? /^files?\b/.test(param ?? '') : path[0] === 'file' || path[0] === 'files'
}

/** The files that the visitor chose and the options that they typed for an operation. */
interface SavedForm {
  options: JsonObject
  files: File[]
}

/**
 * Keyed by the page of the operation. Only in the memory of this tab, so leaving the site or signing out removes files
 * and secrets.
 */
const savedForms = new Map<string, SavedForm>()

/** Returns the form as it was when the visitor left its page, for example with the browser's back button. */
function findSavedForm(slug: string): SavedForm | undefined {
  return savedForms.get(slug)
}

function saveForm(slug: string, form: SavedForm): void {
  savedForms.set(slug, form)
}
