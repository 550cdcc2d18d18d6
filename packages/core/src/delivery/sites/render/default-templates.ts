/** The templates that a new site starts with. Names: `layout` for the site, `page` for its pages. */
export const defaultTemplates = {
  layout: `<!doctype html>
<html lang="{{ locale.code | default: site.settings.language | default: 'en' }}"{% if locale %} dir="{{ locale.direction }}"{% endif %}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{%- assign title = item.name | default: page.name %}
{%- assign summary = page.meta.description | default: item.description | default: page.description | default: site.description %}
<title>{% if title != site.name %}{{ title }} – {% endif %}{{ site.name }}</title>
{%- if summary != blank %}
<meta name="description" content="{{ summary | strip_newlines }}">
{%- endif %}
{%- if site.baseUrl != blank and page.id != blank %}
<link rel="canonical" href="{{ site.baseUrl }}/{% if page.path != blank %}{{ page.path | uri_escape }}/{% endif %}">
{%- endif %}
{%- if site.baseUrl != blank %}
{%- for one in page.alternates %}
<link rel="alternate" hreflang="{{ one.code }}" href="{{ site.baseUrl }}/{% if one.path != blank %}{{ one.path | uri_escape }}/{% endif %}">
{%- endfor %}
{%- endif %}
<style>
:root {
  color-scheme: light dark;
  --back: #fdfdfc; --text: #1d1d1f; --faint: #5c5c62; --line: #dcdce0; --link: #0b57a4;
}
@media (prefers-color-scheme: dark) {
  :root { --back: #17181a; --text: #ececee; --faint: #a3a3ab; --line: #35363a; --link: #8ab8f0; }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 0 1.25rem; max-width: 46rem; background: var(--back); color: var(--text);
  font: 1.0625rem/1.65 system-ui, sans-serif; overflow-wrap: break-word;
}
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
.top {
  display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: baseline;
  padding: 1.25rem 0; border-bottom: 1px solid var(--line);
}
.top > a { font-weight: 650; color: inherit; text-decoration: none; }
.top ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0; padding: 0; list-style: none; }
.top [aria-current] { color: inherit; font-weight: 600; }
main { padding: 1rem 0 3rem; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
.summary { color: var(--faint); font-size: 1.2rem; white-space: pre-line; }
img { max-width: 100%; height: auto; border-radius: 0.25rem; }
pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.25rem; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.35rem 0.7rem; border: 1px solid var(--line); text-align: start; }
footer { padding: 1.25rem 0; border-top: 1px solid var(--line); color: var(--faint); font-size: 0.9rem; }
</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a href="{{ site.url }}">{{ site.name }}</a>
<nav aria-label="Main">
<ul>
{%- for entry in site.sections %}
{%- assign link = entry.url %}
{%- if link != blank and entry.path != blank %}
<li><a href="{{ link }}"
{%- if link == './' %} aria-current="page"{% elsif entry.id == section.id %} aria-current="true"{% endif %}>{{ entry.name }}</a></li>
{%- endif %}
{%- endfor %}
</ul>
</nav>
{%- if page.alternates.size > 1 %}
<nav class="locales" aria-label="Languages">
<ul>
{%- for one in page.alternates %}
<li><a href="{{ one.url }}" lang="{{ one.code }}" dir="{{ one.direction }}" hreflang="{{ one.code }}"
{%- if one.isCurrent %} aria-current="true"{% endif %}>{{ one.name }}</a></li>
{%- endfor %}
</ul>
</nav>
{%- endif %}
</header>
<main id="main">
{{ content }}
</main>
<footer>{{ site.name }}{% if preview %} · Preview{% endif %}</footer>
</body>
</html>
`,

  page: `{%- assign summary = item.description | default: page.description -%}
<article>
<h1>{{ item.name | default: page.name }}</h1>
{%- if summary != blank %}
<p class="summary">{{ summary }}</p>
{%- endif %}
{%- if item.asset %}
{%- assign picture = item | rendition: 'large' %}
{%- if picture != blank %}
<p><img src="{{ picture }}" alt="{{ item.name }}"></p>
{%- endif %}
{%- endif %}
{%- comment %} Texts of several words are for readers; ids, addresses and numbers are not. {% endcomment %}
{%- for field in item.fields %}
{%- assign text = field[1] %}
{%- if text != item.name and text != summary %}
{%- if text contains '</' %}
<section>{{ text | html }}</section>
{%- elsif text contains ' ' %}
<section>{{ text | markdown }}</section>
{%- endif %}
{%- endif %}
{%- endfor %}
</article>
`,
} as const
