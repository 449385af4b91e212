/**
 * Scripts that run in Redis, each in one step. A queue is a log: its entries in order are its only record, and each is
 * added only right after the entry that its writer has seen last. Which entry that is, is named by the head: the number
 * of the entry and a random word; `0:` before the first one. The word tells apart two histories of the same length: a
 * Redis that was restored from a backup, or lost its last second, has another one.
 *
 * Times are Redis's own, in ms since 1970.
 */

/** Time of the server in ms. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Redis takes nothing back when the user may not run a later command of a script. So a script that changes several keys asks
 * for all its rights first.
 */
const MAY = `
local function refusal(commands)
  for _, command in ipairs(commands) do
    if not redis.acl_check_cmd(unpack(command)) then
      return redis.error_reply('NOPERM the user may not run ' .. command[1] .. ' on ' .. command[2])
    end
  end
end
`;

const NUMBER_OF = `
local function numberOf(head) return tonumber(string.match(head, '^%d+') or -1) end
`;

/**
 * Entries after a head; false if that head is not in the log; -1 if entries between it and the newest are missing.
 * KEYS 1 and 3 are log and base head.
 */
const ENTRIES_AFTER = `${NUMBER_OF}
local function isKnown(head)
  local base = redis.call('GET', KEYS[3]) or '0:'
  if base == head then return true end
  local id = numberOf(head) .. '-0'
  if numberOf(head) == 0 then return false end
  local found = redis.call('XRANGE', KEYS[1], id, id)
  return found[1] ~= nil and numberOf(head) .. ':' .. found[1][2][2] == head
end
local function entriesAfter(head, newest)
  if not isKnown(head) then return false end
  local entries = redis.call('XRANGE', KEYS[1], (numberOf(head) + 1) .. '-0', '+')
  local last = head
  if #entries > 0 then last = numberOf(newest) .. ':' .. entries[#entries][2][2] end
  if last ~= newest or #entries ~= numberOf(newest) - numberOf(head) then return -1 end
  local texts = {}
  for i, entry in ipairs(entries) do
    texts[2 * i - 1] = entry[2][2]
    texts[2 * i] = entry[2][4]
  end
  return texts
end
`;

/** Facts about the renewals of leases, which RENEW keeps: `known, from, at`; 0: there is none. */
const PULSE = `
local function pulseOf(key)
  local pulse = {}
  for i, field in ipairs({'known', 'from', 'at'}) do pulse[i] = redis.call('HGET', key, field) or '0' end
  return pulse
end
`;

/**
 * Adds an entry to the log, if the head is the expected one.
 *
 * KEYS: log, head, base head, leases, archive, pulse. ARGV: expected head, random word, entry, time of the step, largest
 * difference of that from now (0: no limit), length of a lease, number of owners, the owners, lines for the archive.
 * Returns `1, now` if it was added; `0, now, entries, leases, pulse` as LOOK does if others were faster; `-1, now` if the
 * writer's time is wrong; `-2, now` if entries are missing.
 */
export const APPEND = `${NOW}${ENTRIES_AFTER}${PULSE}${MAY}
local head = redis.call('GET', KEYS[2]) or '0:'
if head ~= ARGV[1] then
  local leases = redis.call('ZRANGE', KEYS[4], 0, -1, 'WITHSCORES')
  return {0, now, entriesAfter(ARGV[1], head), leases, pulseOf(KEYS[6])}
end
local most = tonumber(ARGV[5])
if most > 0 and math.abs(now - tonumber(ARGV[4])) > most then return {-1, now} end
local refused = refusal({
  {'XADD', KEYS[1], '1-0', 'n', ''}, {'SET', KEYS[2], ''}, {'ZADD', KEYS[4], 0, ''}, {'RPUSH', KEYS[5], ''},
})
if refused then return refused end
local number = numberOf(head) + 1
-- A log that the server removed, to free memory, must not begin anew.
local added = {number .. '-0', 'n', ARGV[2], 'e', ARGV[3]}
if number > 1 then table.insert(added, 1, 'NOMKSTREAM') end
if not redis.call('XADD', KEYS[1], unpack(added)) then return {-2, now} end
redis.call('SET', KEYS[2], number .. ':' .. ARGV[2])
local owners = tonumber(ARGV[7])
for i = 8, 7 + owners do redis.call('ZADD', KEYS[4], now + tonumber(ARGV[6]), ARGV[i]) end
for i = 8 + owners, #ARGV do redis.call('RPUSH', KEYS[5], ARGV[i]) end
return {1, now}
`;

/**
 * Reads what has happened since a head.
 *
 * KEYS: log, head, base head, leases, pulse. ARGV: head. Returns `now, entries, leases, pulse`: no entries if the head
 * is not in the log; leases as owner and end, one after the other; the pulse as RENEW does.
 */
export const LOOK = `${NOW}${ENTRIES_AFTER}${PULSE}
local head = redis.call('GET', KEYS[2]) or '0:'
local entries = {}
if head == '0:' and redis.call('EXISTS', KEYS[1], KEYS[3]) > 0 then entries = -1 end
if head ~= ARGV[1] then entries = entriesAfter(ARGV[1], head) end
local leases = redis.call('ZRANGE', KEYS[4], 0, -1, 'WITHSCORES')
return {now, entries, leases, pulseOf(KEYS[5])}
`;

/**
 * Reads the base: the state that the removed entries added up to.
 *
 * KEYS: base, base head. Returns `base head, parts`.
 */
export const LOAD = `
return {redis.call('GET', KEYS[2]) or '0:', redis.call('LRANGE', KEYS[1], 0, -1)}
`;

/**
 * Replaces the base by a newer one, and moves the entries that are in it to a chapter of the past. A chapter starts with
 * the base before them once the chapters since the last one that did are four times as long as that base.
 *
 * KEYS: log, base, base head, chapters, weight of the past, new chapter. ARGV: head of the new base, its parts. Returns 1,
 * or 0 if the log has another history or the base is newer.
 */
export const COMPACT = `${NOW}${NUMBER_OF}${MAY}
local number = numberOf(ARGV[1])
local id = number .. '-0'
local found = redis.call('XRANGE', KEYS[1], id, id)
if found[1] == nil or number .. ':' .. found[1][2][2] ~= ARGV[1] then return 0 end
local before = numberOf(redis.call('GET', KEYS[3]) or '0:')
if before >= number then return 0 end
local refused = refusal({
  {'DEL', KEYS[6]}, {'RPUSH', KEYS[6], ''}, {'SET', KEYS[5], ''}, {'ZADD', KEYS[4], 0, ''}, {'DEL', KEYS[2]},
  {'RPUSH', KEYS[2], ''}, {'SET', KEYS[3], ''}, {'XTRIM', KEYS[1], 'MINID', '1-0'},
})
if refused then return refused end
local parts = redis.call('LRANGE', KEYS[2], 0, -1)
local weight = 0
for _, part in ipairs(parts) do weight = weight + #part end
local since = redis.call('GET', KEYS[5])
local opens = not since or tonumber(since) >= 4 * weight
if not opens then parts = {} end
redis.call('DEL', KEYS[6])
redis.call('RPUSH', KEYS[6], opens and 'opens' or 'continues', #parts)
for _, part in ipairs(parts) do redis.call('RPUSH', KEYS[6], part) end
local added = 0
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], (before + 1) .. '-0', id)) do
  added = added + #entry[2][4]
  redis.call('RPUSH', KEYS[6], entry[2][4])
end
redis.call('SET', KEYS[5], (opens and 0 or tonumber(since)) + added)
redis.call('ZADD', KEYS[4], now, number)
redis.call('DEL', KEYS[2])
for i = 2, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[i]) end
redis.call('SET', KEYS[3], ARGV[1])
redis.call('XTRIM', KEYS[1], 'MINID', (number + 1) .. '-0')
return 1
`;

/**
 * Reads the base and the entries after it.
 *
 * KEYS: log, base, base head. Returns `base head, parts, entries`.
 */
export const ALL = `${NUMBER_OF}
local head = redis.call('GET', KEYS[3]) or '0:'
local texts = {}
for i, entry in ipairs(redis.call('XRANGE', KEYS[1], (numberOf(head) + 1) .. '-0', '+')) do
  texts[i] = entry[2][4]
end
return {head, redis.call('LRANGE', KEYS[2], 0, -1), texts}
`;

/**
 * Lists the chapters of the past.
 *
 * KEYS: chapters. Returns numbers and end times, one after the other, oldest first.
 */
export const CHAPTERS = `
return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
`;

/**
 * Removes chapters of the past.
 *
 * KEYS: chapters, the chapters to remove. ARGV: end time of the last of them. Returns 1.
 */
export const FORGET = `
for i = 2, #KEYS do redis.call('DEL', KEYS[i]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
return 1
`;

/**
 * Reads a chapter of the past.
 *
 * KEYS: chapter. ARGV: index of the last item to return (-1: all). Returns `opens` or `continues`, the number of parts of
 * the base, the parts, the entries; nothing if it is gone.
 */
export const CHAPTER = `
return redis.call('LRANGE', KEYS[1], 0, ARGV[1])
`;

/**
 * Renews the leases of living processes.
 *
 * While Redis is away nobody can renew a lease, so afterwards all may have ended. The pulse says since when leases were
 * renewed without a gap, and when last: until the others had time to renew theirs, none of them counts as dead. Who was
 * known to be dead before the gap still is: `known` is the end of the last such time that was long enough.
 * KEYS: leases, pulse. ARGV: length of a lease, longest gap, time in which processes renew after a gap, time after which
 * ended leases are removed, owners. Returns `now, leases, pulse` as LOOK does.
 */
export const RENEW = `${NOW}${PULSE}
local _, from, last = unpack(pulseOf(KEYS[2]))
if now - last > tonumber(ARGV[2]) then
  if last - from >= tonumber(ARGV[3]) then redis.call('HSET', KEYS[2], 'known', last) end
  redis.call('HSET', KEYS[2], 'from', now)
end
redis.call('HSET', KEYS[2], 'at', now)
for i = 5, #ARGV do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[i]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[4]))
return {now, redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'), pulseOf(KEYS[2])}
`;

/**
 * Reads a value.
 *
 * KEYS: value. ARGV: position of the last byte to read. Returns `now, value`; empty: there is none.
 */
export const READ = `${NOW}
return {now, redis.call('GETRANGE', KEYS[1], 0, ARGV[1])}
`;

/**
 * Replaces a value if it is the expected one.
 *
 * KEYS: value. ARGV: expected value (empty: none), new value. Returns `now, 1` if it was replaced, else `now, 0`.
 */
export const SWAP = `${NOW}
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return {now, 0} end
redis.call('SET', KEYS[1], ARGV[2])
return {now, 1}
`;
