'use client'

import { useEffect, useRef, useState } from 'react'
import type { PlaygroundResponse } from './response-details'
import { sendRequest, type TargetEndpoint, SendError, type UploadProgress } from './send-request'
import type { JsonObject } from '../form/field-shapes'

/** The options and files of a run. The form may have changed since. */
export interface SentForm {
  options: JsonObject
  files: File[]
}

/** A run with its response. */
export interface FinishedRun {
  response: PlaygroundResponse
  sent: SentForm
}

/** A run and its result. */
export interface Run {
  isRunning: boolean
  /** `performance.now()` at the start of the latest run. */
  startedAtMs: number
  progress: UploadProgress | null
  finished: FinishedRun | null
  /** Why no response arrived. */
  failure: string | null
  start: (options: JsonObject, files: File[]) => void
  cancel: () => void
  /** Cancels a run and removes the result, because neither belongs to the current files anymore. */
  clear: () => void
}

interface Settings {
  send?: typeof sendRequest
  /** The result of the visit before. */
  before?: FinishedRun | undefined
}

/** Runs one request at a time, with `send`. Leaving the page cancels it. */
export function useRun(endpoint: TargetEndpoint, { send = sendRequest, before }: Settings = {}): Run {
  const [isRunning, setRunning] = useState(false)
  const [startedAtMs, setStartedAtMs] = useState(0)
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const [finished, setFinished] = useState<FinishedRun | null>(before ?? null)
  const [failure, setFailure] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  function clear() {
    running.current?.abort()
    running.current = null
    setRunning(false)
    setFailure(null)
    setFinished(null)
  }

  async function run(options: JsonObject, files: File[]) {
    if (running.current) return // Ignore double clicks.
    clear()
    const controller = new AbortController()
    const isCurrent = () => running.current === controller
    running.current = controller
    setRunning(true)
    setStartedAtMs(performance.now())
    setProgress(null)
    const onProgress = (sent: UploadProgress) => isCurrent() && setProgress(sent)
    try {
      const response = await send({ endpoint, options, files, onProgress, signal: controller.signal })
      if (isCurrent()) setFinished({ response, sent: { options, files } })
    } catch (error) {
      if (isCurrent())
        setFailure(error instanceof SendError ? error.message : 'The response isn’t readable. Run again.')
    }
    if (!isCurrent()) return
    running.current = null
    setRunning(false)
  }

  return {
    isRunning,
    startedAtMs,
    progress,
    finished,
    failure,
    start: (options, files) => void run(options, files),
    cancel: () => running.current?.abort(),
    clear,
  }
}
