'use client'

import { lazy, Suspense, useCallback, useEffect, useId, useMemo, useState } from 'react'
import { FailureNote } from '../forms/failure-note'
import { useRefresh } from '../forms/use-refresh'
import { CurlPanel, SentRequest } from './request/curl-panel'
import { FilesPanel } from './files/files-panel'
import { isSample, loadSample } from './files/load-sample'
import { EditorPanel } from './pages/editor-panel'
import type { Shelf } from './form/applicable-fields'
import { FormContext } from './form/form-context'
import { findKeptForm, keepForm } from './kept-forms'
import { findSavedForm, saveForm } from './saved-form'
import { withoutExample } from './form/example-values'
import { type Mode, OptionsPanel } from './form/options-panel'
import { PagesPanel, Versions } from './preview/pages-panel'
import { type PlacedProblem, withMember } from './form/field-path'
import type { PlaygroundEndpoint, PlaygroundTerms } from './request/playground-endpoint'
import classes from './playground.module.css'
import { ErrorPanel, ResultPanel } from './request/result-panel'
import { RunPanel } from './request/run-panel'
import { followSteps } from './form/step-keys'
import type { JsonObject } from './form/field-shapes'
import type { FileOutcome } from './request/response-details'
import { useNotice } from './request/use-notice'
import { type SentForm, useRun } from './request/use-run'

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
  const [saved] = useState(() => findSavedForm(endpoint.slug))
  const [files, setFiles] = useState<File[]>(saved?.files ?? [])
  const [options, setOptions] = useState<JsonObject>(saved?.options ?? endpoint.start.options)
  /** The example whose values the form began with. They belong to its sample file. */
  const [example, setExample] = useState<JsonObject>(endpoint.start.options)
  const { hasStartFiles, lostNames } = useBeginning(endpoint, { files, setFiles, setOptions })
  const [mode, setMode] = useState<Mode>('form')
  const [brokenJson, setBrokenJson] = useState<string | undefined>()
  const [brokenFields, setBrokenFields] = useState<ReadonlySet<string>>(new Set())
  const [hasTriedToRun, setTriedToRun] = useState(false)
  const run = useRun(endpoint, { before: saved?.run })
  const { finished } = run
  const response = finished?.response
  const refresh = useRefresh()
  const shownBalance = useLatestBalance(balance, response?.balance)
  const notice = useNotice(run, saved?.run)

  useEffect(() => {
    if (files.length === 0 && options === endpoint.start.options) return
    saveForm(endpoint.slug, { files, options, run: finished ?? undefined })
    keepForm(endpoint.slug, endpoint.fields, { files, options })
  }, [endpoint, files, options, finished])
  useEffect(() => {
    if (response?.balance === 0) void refresh()
  }, [response, refresh])

  const reportBroken = useCallback((key: string, isBroken: boolean) => {
    setBrokenFields(before => {
      if (before.has(key) === isBroken) return before
      const next = new Set(before)
      if (isBroken) next.add(key)
      else next.delete(key)
      return next
    })
  }, [])
  const outcome = response?.outcome
  const reported = outcome?.kind === 'error' ? outcome.problems : NO_PROBLEMS
  const sentSteps = finished?.sent.options['steps']
  const steps = options['steps']
  const problems = useMemo(
    () => (sentSteps === undefined ? reported : followSteps(reported, { sent: sentSteps, shown: steps })),
    [reported, sentSteps, steps],
  )
  const fileNames = useMemo(() => files.map(({ name }) => name), [files])
  const [shelf] = useState<Shelf>(() => new Map())
  const form = useMemo(
    () => ({ prefix, problems, shelf, fileNames, reportBroken }),
    [prefix, problems, shelf, fileNames, reportBroken],
  )
  const output = outcome?.kind === 'file' ? outcome : undefined
  const obstacle = hasTriedToRun
    ? findObstacle(endpoint, files, brokenJson !== undefined || brokenFields.size > 0)
    : null

  function chooseFiles(newFiles: File[]) {
    setFiles(newFiles)
    run.clear()
    const isOwn = newFiles.length === 0 || !newFiles.every(isSample)
    // Steps work with any files.
    if (isOwn) setOptions(before => withoutExample(before, withMember(example, 'steps', undefined)))
    else if (Object.keys(options).length === 0) setOptions(example)
    // The service accepts only one of the three. The latest choice applies.
    if (endpoint.files === 'html' && newFiles.length > 0)
      setOptions(before => withMember(withMember(before, 'url', undefined), 'html', undefined))
  }

  function chooseOptions(next: JsonObject) {
    setOptions(next)
    const isExample = files.every(isSample) && endpoint.examples.some(one => one.options === next)
    // Otherwise a sample file would bring back the values that the visitor cleared.
    if (isExample || Object.keys(next).length === 0) setExample(next)
    if (endpoint.files === 'html' && files.length > 0 && (next['url'] !== undefined || next['html'] !== undefined))
      setFiles([])
  }

  function start() {
    setTriedToRun(true)
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

  const outputName = output?.name ?? nameOutput(endpoint, files)
  const request = finished && response && (
    <SentRequest
      endpoint={endpoint}
      origin={terms.origin}
      options={finished.sent.options}
      files={finished.sent.files}
      outputName={outputName}
      requestId={response.loggedId}
    />
  )
  return (
    <FormContext value={form}>
      {finished && response && output && (
        <ResultPanel ref={notice} facts={response} outcome={output} terms={terms} request={request}>
          <Output endpoint={endpoint} sent={finished.sent} output={output} />
        </ResultPanel>
      )}
      <div className={classes.columns} data-editor={endpoint.editor !== undefined}>
        <div className={classes.column}>
          {endpoint.files !== 'none' && (
            <FilesPanel
              endpoint={endpoint}
              terms={terms}
              files={files}
              lostNames={lostNames}
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
            startedAtMs={run.startedAtMs}
            obstacle={obstacle}
            onRun={start}
            onCancel={run.cancel}
          >
            {run.failure !== null && <FailureNote ref={notice}>{run.failure}</FailureNote>}
            {response && outcome?.kind === 'error' && (
              <ErrorPanel
                ref={notice}
                facts={response}
                outcome={{ ...outcome, problems: [...problems] }}
                terms={terms}
                onShowField={showField}
                request={request}
              />
            )}
          </RunPanel>
          {!endpoint.editor && !output && <PagesPanel files={files} />}
          <CurlPanel
            endpoint={endpoint}
            origin={terms.origin}
            options={options}
            files={files}
            outputName={outputName}
          />
        </div>
      </div>
    </FormContext>
  )
}

/** The output beside the input, or the redacted places if the file was redacted. */
function Output({ endpoint, sent, output }: { endpoint: PlaygroundEndpoint; sent: SentForm; output: FileOutcome }) {
  const input = sent.files[0]
  if (endpoint.editor === 'redaction' && input && output.contentType === 'application/pdf')
    return (
      <Suspense>
        <RedactionProof input={input} output={output.blob} options={sent.options} />
      </Suspense>
    )
  return <Versions files={sent.files} output={output} />
}

/**
 * Loads the sample files that the form begins with, unless the visitor has chosen files here before. If the page was
 * loaded again, the options are those from before, and `lostNames` are the files that the visitor must choose again.
 * `hasStartFiles` tells whether the files are the samples.
 */
function useBeginning(
  { slug, start, samples: sampleNames }: PlaygroundEndpoint,
  form: { files: File[]; setFiles: (files: File[]) => void; setOptions: (options: JsonObject) => void },
): { hasStartFiles: boolean; lostNames: string[] } {
  const { files, setFiles, setOptions } = form
  const [samples, setSamples] = useState<File[] | null>(null)
  const [lostNames, setLostNames] = useState<string[]>([])
  useEffect(() => {
    if (findSavedForm(slug) !== undefined) return
    let isCurrent = true
    async function begin() {
      const kept = await Promise.resolve(findKeptForm(slug))
      const lost = (kept?.fileNames ?? []).filter(name => !sampleNames.includes(name))
      if (!isCurrent) return
      if (kept) setOptions(kept.options)
      setLostNames(lost)
      if (lost.length > 0) return
      const loaded = await Promise.all((kept?.fileNames ?? start.files).map(loadSample))
      if (!isCurrent || loaded.length === 0 || findSavedForm(slug)?.files.length) return
      if (kept === undefined) setSamples(loaded)
      setFiles(loaded)
    }
    begin().catch(() => undefined) // The visitor can still choose a file.
    return () => {
      isCurrent = false
    }
  }, [slug, start, sampleNames, setFiles, setOptions])
  return { hasStartFiles: samples !== null && files === samples, lostNames: files.length > 0 ? [] : lostNames }
}

/** Returns the balance that was learned last: from the page, or from a response. */
function useLatestBalance(ofPage: number, ofResponse: number | undefined): number {
  const [known, setKnown] = useState({ ofPage, ofResponse, latest: ofResponse ?? ofPage })
  if (known.ofPage === ofPage && known.ofResponse === ofResponse) return known.latest
  const latest = known.ofPage !== ofPage ? ofPage : (ofResponse ?? known.latest)
  setKnown({ ofPage, ofResponse, latest })
  return latest
}

/** Returns the name that the response gets for these files, such as `contract-rotated.pdf` for `contract.pdf`. */
function nameOutput({ responseName, start }: PlaygroundEndpoint, files: File[]): string {
  const [sample, name] = [start.files[0], files[0]?.name].map(one => one?.replace(/\.[^.]{1,10}$/, ''))
  return sample !== undefined && name !== undefined && responseName.startsWith(sample)
    ? name + responseName.slice(sample.length)
    : responseName
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
