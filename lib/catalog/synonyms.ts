/**
 * Words and phrases that mean nearly the same in this field, one group per line. A search for one
 * also finds the others, a little lower. Words are lowercase and in one form (search compares their
 * stems). A two-word phrase without fillers also matches in reverse order.
 */
export const synonyms = groupsIn(`
ai, artificial intelligence, llm, language model, gpt
agent, assistant, copilot
claude, anthropic
openai, chatgpt, gpt, codex
gemini, google ai
ollama, local llm, local model, local ai, local chatgpt, offline ai, offline llm, offline chatgpt
mcp, model context protocol
machine learning, ml, neural network, deep learning, ai model, image recognition, recognize image, object detection, detect object, classify image
auth, authentication, login, log in, sign in, sign up, sign on, oauth, sso, passwordless, auth0, username
authorization, permission, access control, rbac
db, database, datastore
sql, postgres, postgresql, mysql, sqlite, relational
database gui, database tool, database manager, db gui, sql gui, postgres gui, mysql gui, sqlite browser
k8s, kubernetes
js, javascript, ecmascript
ts, typescript, type safe, static type, strict type, strongly type, type javascript, type annotation
py, python
email, mail, smtp, inbox, mailbox, sendgrid, resend, mailgun
sms, text message, phone call, telephony, twilio
picture, image, photo, img
thumbnail, resize, crop, image smaller, picture smaller, photo smaller
resize, compress image, compress picture, compress photo, optimize image, optimize picture, optimize photo, image optimization
pdf, print document, print page, print invoice, print report, create document, generate document, make document, write document, sign document, scan document, document generation
spreadsheet, excel, xlsx, xls
word document, docx
csv, comma separated
chart, diagram, graph, plot, pie, visualization, dataviz
diagram, flowchart
draw, sketch, whiteboard, canvas
cli, command line, terminal, console, shell, bash
argument, option, flag, subcommand
http, fetch, ajax, rest, api client, axios, http call, api call, web request
web server, http server, server framework, web framework
websocket, real time, socket, live update, page refresh, push update, push message, server push, without reload, without refresh, chat app, chat server
job, queue, task, worker, run later, delayed, background job, background task, background process, background worker, in background, in the background
parallel, concurrent, simultaneous, same time
schedule, cron, every night, every day, every hour, nightly, recurring
monitor, observability, metrics, prometheus, telemetry, tracing, slow
uptime, health check, status page, downtime, site down, website down, server down, server up, website up, site up
log, audit trail, write down, winston
retry, try again, backoff, circuit breaker
error, exception, mistake, go wrong, went wrong
test, spec, assertion, unit test, jest, mocha
e2e, end to end, browser automation, automate web browser, selenium, cypress, headless browser, headless chrome, screenshot, screen capture, click button, click through, automate click
api testing, test api, api explorer, api development
scrape, extract data, scraper, crawler, headless browser, headless chrome
delete, remove, erase, rm, throw away, get rid
folder, directory, dir
file system, fs
glob, wildcard, file pattern
watch, file change, detect change
zip, archive, unzip, compress, tar, tarball
validate, schema, verify, zod
type check, runtime type, schema validation
translate, i18n, internationalization, localization, l10n, locale, multilingual, other language, several language, many language, multiple language, different language
date, time, calendar, datetime, time zone
date picker, pick day, choose date
version, semver, release
semver, semantic version, version number
changelog, release notes
payment, pay, take money, accept money, get paid, charge, billing, checkout, credit card, stripe, paypal, sell subscription, accept subscription, subscription billing, recurring payment
crypto, cryptocurrency, blockchain, ethereum, web3, bitcoin
smart contract, solidity, ethereum
encrypt, cryptography, cipher
password, hash, bcrypt, argon2
password manager, password vault, save password, store password
token, jwt
identifier, id, ids, uuid, guid, unique key
secret, credential, env, environment variable, config, configuration, api key, setting
mobile, ios, android, phone, iphone, smartphone, app store, native app
desktop, windows, mac, macos, linux, tauri, electron
frontend, front end, ui, user interface, gui
component, widget, button, menu, ui kit, design system
web component, custom element
table, grid, datagrid, data table, row
dialog, modal, popup
tooltip, popover
select, dropdown, combobox, autocomplete
notification, toast, push notification, alert
spinner, loading spinner, loading indicator, progress bar, progress indicator
prompt, question, interactive command
drag and drop, dnd, rearrange, reorder
dark mode, dark theme
form, input, field
slider, carousel, slideshow
slide, slideshow, presentation, pitch deck, powerpoint, pptx
animate, motion, transition, tween, fade, thing move, move element, smooth
game, gaming, arcade, unity
physics, gravity, collision, bounce
map, google maps, geo, gis, geospatial, globe, earth
3d, webgl, three dimensional
cad, computer aided design, technical drawing
image generation, generate image, generate picture, text to image, ai art, diffusion
audio, sound, music, mp3, wav, synth, synthesizer, piano
video, mp4, movie, film, live stream, media player
media server, video streaming, video sharing, video platform, live stream, stream video, media library, tv show, tv series, watch movie
video editor, video editing, edit video, cut video, trim video
screen recording, record screen, screen recorder, screencast, capture screen, record webcam
music production, make music, produce music, daw, record music, make beat, beat maker
ffmpeg, transcode, convert video, video conversion, record video
video call, webcam, voice call, video conferencing, webrtc
editor, wysiwyg
wysiwyg, rich text, word processor
code editor, ide
vscode, vs code
markdown, md, readme
yaml, yml
front matter, metadata, exif
highlight, colorize, syntax, code block
blog, weblog, diary, article, cms, wordpress, content management
docs, documentation, manual
static site, site generator, ssg, docs site, documentation site, documentation website, doc generator
website builder, site builder, page builder, landing page
bundle, build tool, combine, webpack, gulp, grunt
hmr, hot reload, hot module, live reload
compile, transpile, old browser, older browser, new syntax
vendor prefix, browser prefix, css prefix, old browser, older browser
format, beautify, prettify, prettier, tidy, clean up
lint, code style, code quality, static analysis, find problem, find bug, catch bug, find mistake, find error
coding assistant, coding agent, code assistant, pair programming, pair programmer, ai coding, code completion
scaffold, boilerplate, code generator, project generator, generate file, template, starter
executable, binary, standalone
monorepo, workspace
minify, minimize, uglify, shrink, smaller, compress, optimize css, optimize code, optimize bundle
tiny, small, lightweight, minimal
css, style, stylesheet, tailwind
publish, release
upgrade, update, outdated
compare, diff
benchmark, profiling, performance test, measure performance
feature flag, feature toggle, ab test, a b test, split test, experiment
debug, inspect, devtools
mock, stub, fake, faker, random, dummy
git hook, pre commit, before commit, staged file
process manager, daemon, alive, running forever, supervisor, restart, crash
deploy, hosting, heroku, vercel, netlify, website online, site online, devops, paas, platform as a service
cloud, aws, azure, serverless
baas, backend as a service, app backend, firebase, supabase, pocketbase
infrastructure as code, terraform, iac, provision, devops
container, docker, devops
cache, redis, memcached
key value, redis, leveldb
search, full text, search engine, autocomplete, typeahead, algolia
fuzzy, typo, misspell, misspelled, spelling
vector, embedding, similarity, rag, retrieval augmented
nlp, natural language, sentiment, named entity, sentence, noun, verb, part of speech
chat, chatbot, messaging, bot, messenger
social network, social media, fediverse, microblog
forum, message board, bulletin board, discussion board, discussion
customer support, help desk, live chat, support ticket, service desk
automate, airflow, workflow, no code, low code, robot
low code, no code, internal tool
storage, store, persist, save data, save file, keep data
state, store, state management, prop drilling
reactive, observable, rx, event stream
immutable, deep copy
message queue, broker, pubsub, pub sub
dom, html element, page element, select element, hide element, html parser, jsdom, mock browser, fake browser
virtual dom, vdom
orm, query builder, data mapper, sequelize, typeorm, mongoose
offline, local first, browser storage, local storage, sync, indexeddb, no internet, without internet
collaboration, crdt, multiplayer, same document
file sync, file sharing, file hosting, cloud storage, file synchronization
git, git hosting, code hosting, git server, software forge, git repository
office suite, word processor, text document, document editing, google docs, microsoft office
p2p, peer to peer, torrent, no server, without server
font, typography, typeface
ui design, interface design, design tool, prototype, wireframe, mockup
icon, emoji, glyph
math, mathematics, formula, equation, fraction, square root, latex
decimal, floating point, arithmetic, rounding
parse, read
convert, transform, conversion, turn
secure, hardening, protect
sanitize, xss, untrusted, malicious, dangerous
job posting, hiring, recruiting, find job, job board, job search
note, knowledge base, second brain
journal, diary
pastebin, paste bin, snippet, paste text
todo, to do, task manager, reminder
kanban, project management, issue tracker
crm, customer relationship, customer management, customer data
analytics, statistics, web traffic
dashboard, business intelligence, data exploration
onboarding, tour, walkthrough, guide user
survey, questionnaire, form builder, user feedback, poll
newsletter, mailing list
appointment, booking, reservation, book meeting, book appointment, book room, book table, meeting scheduler, schedule meeting
expense, spending
flashcard, spaced repetition, flash card, learn vocabulary, memorize
subtitle, caption
bookmark, read later
link shortener, url shortener, short link, short url
ssh, sftp, remote shell, remote machine, remote desktop, vnc
vpn, tunnel, expose local, expose localhost
resume, cv
recipe, cooking, meal
fitness, workout, exercise, gym, sport, jogging
health, medical, patient, clinic, doctor, hospital
meditation, relax, breathing exercise
nutrition, calorie, diet, weight loss
bike, bicycle, cycling
hike, hiking, outdoor
travel, trip, vacation, holiday
shop, store online, ecommerce, e commerce, storefront, commerce
ticket, event ticket, ticketing
inventory, stock control, warehouse, asset management
nonprofit, charity, donation, donor, fundraising
gift, wish list, wishlist
incident, outage, postmortem, downtime
money, finance, budget, accounting, invoice, currency, price, bookkeeping
invest, stock market, wealth, stock portfolio
learn, education, course, tutorial, teaching, lesson, school, learning platform, e learning, online learning
kid, child, children, toddler, preschool
language learning, learn language, vocabulary, foreign language
astronomy, stargazing, telescope, night sky, outer space, planet
family tree, genealogy, ancestor, ancestry
grammar, proofread, spell check, spell checker, spelling mistake
ebook, e book, epub
audiobook, audio book
comic, manga
plant, garden, gardening
pet, dog, veterinary, vet
ad blocker, block ad, adblock
photo editor, image editor, picture editor, image processing, edit photo, edit picture, edit image, retouch
functional, lodash, debounce, throttle, helper function, utility function
rpc, remote procedure, trpc, grpc
a11y, accessibility, wcag, screen reader, blind, alt text
cors, cross origin, same origin, cross domain, other domain, other origin, other site, other website, another origin, another domain, another site, another website
mqtt, iot, internet of things, smart home, sensor, home automation, smart device
oidc, openid
2fa, two factor, otp, totp
tls, ssl, https, certificate
ssr, server side rendering, server rendered
spa, single page
pwa, progressive web
ast, syntax tree, codemod, refactor
regex, regexp, regular expression
rss, feed, atom, news reader, news aggregator, feed reader
ocr, text recognition, recognize text, character recognition, image to text, text image, text picture, extract text
tts, text to speech, speech synthesis, speak, aloud
stt, speech to text, speech recognition, transcription
ci, continuous integration, devops, ci cd, build pipeline
vr, virtual reality
ar, augmented reality
s3, object storage, bucket
seo, search engine optimization
`);

/** The groups of a text with one in each line. */
export function groupsIn(text: string): readonly (readonly string[])[] {
  return text.trim().split("\n").map((line) => line.split(", "));
}
