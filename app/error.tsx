'use client'

import buttons from './_ui/elements/link-button.module.css'
import { MessagePage } from './_ui/frame/message-page'

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <MessagePage title="This page failed to load" isAlert>
      <p>An error occurred on our side. Try again.</p>
      {error.digest !== undefined && (
        <p>
          Reference for the operator: <code>{error.digest}</code>
        </p>
      )}
      <button type="button" className={buttons.button} onClick={reset}>
        Try again
      </button>
    </MessagePage>
  )
}
