import { mutationOptions, queryOptions } from '@quire/client/query'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useBranch } from '../content/at.ts'
import { siteSearch } from '../content/search.ts'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { PanelForm } from '../controls/panel-form.tsx'
import { Title } from '../controls/title.tsx'
import { quire, sentOnce } from '../service.ts'
import { useWords } from '../words/language.tsx'

const route = getRouteApi('/$repo/sites')

/** The sites of a branch. */
export function SiteList() {
  const { sites: words } = useWords()
  const { repo } = route.useParams()
  const search = route.useSearch()
  const { at } = useBranch()
  const list = useQuery(queryOptions(quire, 'sites.list', { ...at, limit: 200 }))
  return (
    <>
      <Title>{words.title}</Title>
      <NewSite />
      <Loaded query={list}>
        {({ items }) => (
          <ul className="cards">
            {items.length === 0 && <li>{words.none}</li>}
            {items.map(({ id, name, slug, description }) => (
              <li key={id}>
                <Link
                  to="/$repo/sites/$siteId"
                  params={{ repo, siteId: id }}
                  search={siteSearch({ ...search })}
                  dir="auto"
                >
                  {name}
                </Link>{' '}
                <code>/sites/{slug}/</code>
                <p dir="auto">{description}</p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  )
}

function NewSite() {
  const { sites: words } = useWords()
  const navigate = route.useNavigate()
  const { repo } = route.useParams()
  const search = route.useSearch()
  const { at, reason } = useBranch()
  const [name, setName, , clearName] = useDraft(`new-site.${repo}`)
  const [slug, setSlug, , clearSlug] = useDraft(`new-site-slug.${repo}`)
  const create = useMutation({
    ...mutationOptions(quire, 'sites.create', sentOnce),
    onSuccess: ({ id }) =>
      void navigate({
        to: '/$repo/sites/$siteId',
        params: { repo, siteId: id },
        search: siteSearch({ ...search }),
      }),
  })
  return (
    <PanelForm
      label={words.create}
      kind="main"
      reason={reason('sites.update')}
      answer={words.createIt}
      sending={create}
      isBegun={name !== '' || slug !== ''}
      onClose={() => {
        setName('')
        setSlug('')
      }}
      onSubmit={() =>
        create.mutate(
          { ...at, name: name.trim(), slug: slug.trim() },
          {
            onSuccess: () => {
              clearName(name)
              clearSlug(slug)
            },
          },
        )
      }
    >
      <Field label={words.name} value={name} onChange={setName} isRequired />
      <Field label={words.slug} hint={words.slugHint} value={slug} onChange={setSlug} isRequired />
    </PanelForm>
  )
}
