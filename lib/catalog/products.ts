import { groupsIn } from "./synonyms.ts";

/**
 * Well-known products, because people ask for a project by the product that it replaces. Each line
 * starts with a kind of product, which is in a group of synonyms. Only queries use this table: the
 * texts of projects name products for many reasons.
 */
export const products = groupsIn(`
ai, chatgpt, perplexity, character ai
appointment, calendly, booksy
audio, spotify, soundcloud, itunes, apple music, deezer, winamp
audiobook, audible
automate, zapier, n8n, ifttt, integromat
cad, autocad, solidworks, sketchup
chat, slack, discord, whatsapp, telegram, signal, microsoft teams, facebook messenger
code editor, sublime text, webstorm, intellij, xcode
coding assistant, github copilot, cursor, windsurf, devin, replit
analytics, google analytics, mixpanel, hotjar
crm, salesforce, hubspot, pipedrive
customer support, zendesk, intercom, freshdesk
ebook, kindle, goodreads
expense, splitwise, expensify
file sync, dropbox, google drive, onedrive, icloud, wetransfer
fitness, strava, myfitnesspal, fitbit, peloton
forum, reddit, hacker news, stack overflow, quora
game, minecraft, roblox, steam
git, github, gitlab, bitbucket
grammar, grammarly
image generation, midjourney, dall e
kanban, trello, jira, asana, basecamp, clickup, linear
language learning, duolingo, babbel, rosetta stone
learn, udemy, coursera, khan academy
link shortener, bitly, tinyurl
low code, retool, bubble, webflow, airtable
map, waze
meditation, headspace, calm
money, quickbooks, xero, ynab, mint, freshbooks
music production, garageband, ableton, fl studio, logic pro
newsletter, mailchimp, substack, convertkit
note, notion, evernote, onenote, obsidian, google keep
office suite, office 365, google sheets, microsoft word
pastebin, gist
password manager, lastpass, bitwarden, dashlane, keepass
photo, google photos, flickr, unsplash, instagram, snapchat
photo editor, photoshop, lightroom, picmonkey, canva
read later, pocket, instapaper
rss, feedly, google reader
screen recording, loom, camtasia, snagit
shop, shopify, etsy, ebay, magento
social network, twitter, facebook, instagram, linkedin, tiktok, tumblr, bluesky, mastodon
spreadsheet, airtable, google sheets
survey, typeform, google forms, surveymonkey
ticket, eventbrite, ticketmaster
todo, todoist, wunderlist, google tasks, microsoft to do, ticktick
travel, tripadvisor, airbnb, expedia
translate, deepl, google translate
ui design, figma, adobe xd, canva, invision
uptime, pingdom, statuspage, uptimerobot
monitor, datadog, new relic, splunk, grafana
media server, youtube, netflix, vimeo, twitch, plex
video call, zoom, google meet, skype, facetime, microsoft teams
video editor, premiere, final cut, imovie, capcut, davinci
api testing, postman
2fa, google authenticator, authy
ci, jenkins, travis, circleci
dashboard, tableau, power bi
website builder, wix, squarespace, webflow
feature flag, launchdarkly, optimizely
web framework, express, django, rails, laravel, flask, fastapi, spring boot
frontend, react, vue, angular, svelte
state, redux, mobx
bundle, webpack, rollup, esbuild
lint, eslint, pylint
format, prettier
unit test, jest, mocha, jasmine, vitest, pytest
http, axios, superagent
e2e, puppeteer, playwright, selenium, cypress
chart, d3, highcharts, chart js
map, leaflet, mapbox
websocket, socket io
orm, prisma, sequelize, mongoose, typeorm
css, tailwind, bootstrap
desktop, electron
log, winston, log4j
baas, firebase, supabase
cms, strapi, contentful, drupal, joomla
animate, gsap, framer motion
wysiwyg, quill, tinymce, ckeditor
validate, zod, yup, joi
auth, passport, auth0, okta, clerk
date, moment
static site, hexo, jekyll, hugo, gatsby
job, bullmq, celery, sidekiq, resque
argument, yargs, minimist
prompt, inquirer
mobile, ionic, flutter, cordova
monorepo, lerna, turborepo
search, elasticsearch, algolia, lucene, solr
infrastructure as code, pulumi, ansible
math, mathjax
`);
