-- Sends the requests of a file in a circle, and prints what was measured as JSON on stderr.
-- Arguments: the file (requests separated by NUL), the number of the first request to send, and the
-- ports, one for each thread.
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set('index', threads)
end

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  local text = file:read('*a')
  file:close()
  requests, numbered = {}, {}
  for request in text:gmatch('[^%z]+') do
    requests[#requests + 1] = request
    numbered[#requests] = request:find('@@COUNT@@', 1, true) ~= nil
  end
  sent = tonumber(args[2]) + index * 10000000
  wrk.thread.addr = wrk.lookup('127.0.0.1', args[2 + index])[1]
end

function request()
  sent = sent + 1
  local turn = sent % #requests + 1
  if not numbered[turn] then return requests[turn] end
  -- Nine digits in place of nine characters: every request is new, and its length stays the same.
  return (requests[turn]:gsub('@@COUNT@@', string.format('%09d', sent)))
end

function done(summary, latency)
  local failed = summary.errors
  io.stderr:write(string.format(
    '{"requests":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"maxUs":%d,"meanUs":%f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    latency.mean, failed.status, failed.connect + failed.read + failed.write + failed.timeout
  ))
end
