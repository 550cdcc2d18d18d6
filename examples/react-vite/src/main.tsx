import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useState, type FormEvent } from 'react'
import { createRoot } from 'react-dom/client'
import { Magazine } from './magazine.tsx'
import { connect, Connection } from './connection.tsx'
import { Preview, takePreview } from './preview.tsx'

const queryClient = new QueryClient()

/** Asks for a token, which stays in memory, and then shows the magazine. */
function Page() {
  const [quire, setQuire] = useState<ReturnType<typeof connect>>()
  const signIn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const token = new FormData(event.currentTarget).get('token')
    if (typeof token === 'string') setQuire(connect(token))
  }
  if (quire)
    return (
      <Connection value={quire}>
        <Magazine />
      </Connection>
    )
  return (
    <form onSubmit={signIn}>
      <label>
        Token <input name="token" type="password" required />
      </label>
      <button>Open</button>
    </form>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root.')
const preview = takePreview(new URL(location.href))
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      {preview ? (
        <Connection value={connect(preview.token)}>
          <Preview {...preview} />
        </Connection>
      ) : (
        <Page />
      )}
    </QueryClientProvider>
  </StrictMode>,
)
