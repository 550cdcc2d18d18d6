// A page of a frontend, compiled with `strict` and without skipLibCheck.
import { createClient, isQuireError, type Folder, type Item } from '@quire/client'
import { useEffect, useState, type ReactNode } from 'react'

interface ContentTypes {
  readonly article: { readonly title: string; readonly price: number }
}

const quire = createClient<ContentTypes>({ baseUrl: 'https://content.example.org' })

type Article = Awaited<ReturnType<typeof quire.items.get<'article'>>>

function useArticles(): readonly Article[] | string {
  const [articles, setArticles] = useState<readonly Article[] | string>([])
  useEffect(() => {
    const leaving = new AbortController()
    const filter = { 'fields.price': { lte: 30 } }
    quire.items
      .list<'article'>(
        { configId: 'magazine', type: 'article', filter, sort: '-updatedDate' },
        { signal: leaving.signal },
      )
      .then(({ items }) => setArticles(items))
      .catch((error: unknown) => setArticles(isQuireError(error) ? error.code : String(error)))
    return () => leaving.abort()
  }, [])
  return articles
}

export function Articles({ folder }: { readonly folder: Folder }): ReactNode {
  const articles = useArticles()
  if (typeof articles === 'string') return <p>{articles}</p>
  return (
    <ul title={folder.name}>
      {articles.map(({ id, name, fields }) => (
        <li key={id}>{fields?.title ?? name}</li>
      ))}
    </ul>
  )
}

export function Status({ item }: { readonly item: Item }): ReactNode {
  return <em>{item.status === 'published' ? 'published' : `draft ${item.currentVersion}`}</em>
}
