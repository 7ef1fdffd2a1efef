'use client'

import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { LinkButton } from '../elements/link-button'
import { Panel } from '../elements/panel'
import { FailureNote } from '../forms/failure-note'
import { Segments } from '../elements/ticks'
import { FileRows } from '../playground/files/file-rows'
import { loadSample } from '../playground/files/load-sample'
import type { JsonObject } from '../playground/form/field-shapes'
import { EditorPanel } from '../playground/pages/editor-panel'
import { Versions } from '../playground/preview/pages-panel'
import { CurlPanel } from '../playground/request/curl-panel'
import { ErrorPanel, ResultPanel } from '../playground/request/result-panel'
import { type TargetEndpoint, sendTrial } from '../playground/request/send-request'
import { useNotice } from '../playground/request/use-notice'
import { useRun } from '../playground/request/use-run'
import columns from '../playground/playground.module.css'
import classes from './trial.module.css'
import { Button } from '../elements/button'

const RedactionProof = lazy(async () => ({
  default: (await import('../playground/pages/redaction-proof')).RedactionProof,
}))

type ToolId = 'pdf-redaction' | 'merge-pdf'

/** The tools that visitors can try, with the samples and options to begin with. */
const TRIALS: Record<ToolId, { label: string; endpoint: TargetEndpoint; samples: string[]; options: JsonObject }> = {
  'pdf-redaction': {
    label: 'Redact a payslip',
    endpoint: {
      path: '/api/external/pdf-tools/pdf-redaction',
      files: 'one',
      optionsKey: 'options',
      responseName: 'payslip-redacted.pdf',
    },
    samples: ['payslip.pdf'],
    options: { search: [{ text: 'Ada Reyes' }] },
  },
  'merge-pdf': {
    label: 'Merge files',
    endpoint: {
      path: '/api/external/pdf-tools/merge-pdf',
      files: 'many',
      optionsKey: 'options',
      responseName: 'merged.pdf',
    },
    samples: ['letter.pdf', 'report.pdf', 'terms.pdf'],
    options: {},
  },
}

/** Lets a visitor without an account run two tools on sample files. */
export function TrialPanel({ origin }: { origin: string }) {
  const [toolId, setToolId] = useState<ToolId>('pdf-redaction')
  const start = useRef<HTMLDivElement>(null)
  useEffect(() => start.current?.focus(), [])
  return (
    <div ref={start} tabIndex={-1} role="group" aria-label="Trial" className={classes.trial}>
      <Segments
        aria-label="Tool"
        value={toolId}
        choices={Object.entries(TRIALS).map(([value, { label }]) => ({ value, label }))}
        onChange={value => setToolId(value as ToolId)}
      />
      <Trial key={toolId} toolId={toolId} origin={origin} />
    </div>
  )
}

function Trial({ toolId, origin }: { toolId: ToolId; origin: string }) {
  const { endpoint, samples, options: firstOptions } = TRIALS[toolId]
  const [options, setOptions] = useState(firstOptions)
  const { files, setFiles, hasFailed } = useSamples(samples)
  const run = useRun(endpoint, { send: sendTrial })
  const { finished } = run
  const notice = useNotice(run)
  const outcome = finished?.response.outcome
  const output = outcome?.kind === 'file' ? outcome : undefined
  const [file] = files
  const removed = samples.filter(name => files.every(one => one.name !== name))

  return (
    <>
      {finished && output && (
        <ResultPanel ref={notice} facts={finished.response} outcome={output} terms={{ warnings: {} }}>
          {toolId === 'merge-pdf' && <Versions files={[]} output={output} />}
          {toolId === 'pdf-redaction' && finished.sent.files[0] && (
            <Suspense>
              <RedactionProof input={finished.sent.files[0]} output={output.blob} options={finished.sent.options} />
            </Suspense>
          )}
        </ResultPanel>
      )}
      <div className={columns.columns} data-editor>
        <div className={columns.column}>
          {hasFailed && <FailureNote>The sample files did not load. Check your connection and reload.</FailureNote>}
          {toolId === 'pdf-redaction' && file && (
            <EditorPanel editor="redaction" tool={toolId} file={file} options={options} onChange={setOptions} />
          )}
          {toolId === 'merge-pdf' && files.length > 0 && (
            <Panel id="trial-files" title="Files in their order">
              <FileRows files={files} onChange={setFiles} />
              {removed.length > 0 && (
                <Button look="secondary" onClick={() => void loadAll(samples).then(setFiles)}>
                  Bring back all files
                </Button>
              )}
            </Panel>
          )}
        </div>
        <div className={`${columns.column} ${columns.runColumn}`}>
          <Panel id="trial-run" title="Run">
            <p>Free, without an account. Sheaf keeps no copy of the input or the result.</p>
            <div className={columns.runLine}>
              <Button
                size="large"
                loading={run.isRunning}
                disabled={toolId === 'merge-pdf' ? files.length < 2 : files.length === 0}
                onClick={() => run.start(options, files)}
              >
                Run
              </Button>
            </div>
            {run.failure !== null && <FailureNote ref={notice}>{run.failure}</FailureNote>}
            {finished && outcome?.kind === 'error' && (
              <ErrorPanel
                ref={notice}
                facts={finished.response}
                outcome={outcome}
                terms={{ warnings: {} }}
                isFree
                onShowField={() => {}}
              />
            )}
          </Panel>
          {finished && (
            <p className={classes.next}>
              <LinkButton href="/sign-in?new=1">Create an account for your own files</LinkButton>
            </p>
          )}
          <CurlPanel
            endpoint={endpoint}
            origin={origin}
            options={options}
            files={files}
            outputName={output?.name ?? endpoint.responseName}
          />
        </div>
      </div>
    </>
  )
}

/** Loads sample files, which the visitor can then reorder and remove. */
function useSamples(names: string[]) {
  const [files, setFiles] = useState<File[]>([])
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    let isUnmounted = false
    loadAll(names).then(
      loaded => {
        if (!isUnmounted) setFiles(loaded)
      },
      () => {
        if (!isUnmounted) setFailed(true)
      },
    )
    return () => {
      isUnmounted = true
    }
  }, [names])
  return { files, setFiles, hasFailed }
}

function loadAll(names: string[]): Promise<File[]> {
  return Promise.all(names.map(loadSample))
}
