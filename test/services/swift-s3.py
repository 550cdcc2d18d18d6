#!/usr/bin/python3
"""An S3-compatible store for tests: OpenStack Swift with s3api, one node on loopback.

swift-s3.py FOLDER PORT: stores its data in FOLDER, which needs extended attributes, and listens on PORT to PORT + 4.
Prints "ready" once it answers. Exits when its standard input closes, so that it does not outlive the tests.
Needs Debian's packages python3-swift and memcached, and Debian's own Python.
"""
import os
import pwd
import socket
import subprocess
import sys
import threading
import time
import urllib.request

HOST = '127.0.0.1'
SERVERS = ('account', 'container', 'object')
ROOT, PORT = os.path.abspath(sys.argv[1]), int(sys.argv[2])
USER = pwd.getpwuid(os.getuid()).pw_name
ETC, DEVICES, LOGS = (os.path.join(ROOT, name) for name in ('etc', 'devices', 'logs'))

COMMON = f"""
[DEFAULT]
bind_ip = {HOST}
workers = 0
user = {USER}
swift_dir = {ETC}
log_level = WARNING
conn_timeout = 10
"""

# Multipart uploads are stored as Swift's large objects (slo) with up to 10 000 segments.
PROXY = COMMON + f"""
bind_port = {PORT}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
node_timeout = 60
recoverable_node_timeout = 60
[filter:cache]
use = egg:swift#memcache
memcache_servers = {HOST}:{PORT + 4}
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
max_upload_part_num = 10000
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing-secret .admin
[filter:slo]
use = egg:swift#slo
max_manifest_segments = 10000
max_manifest_size = 8388608
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_object_versioning = true
""" + ''.join(f"""
[filter:{name}]
use = egg:swift#{name}
""" for name in ('catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'bulk', 'copy', 'dlo', 'symlink'))


def storage(index, name):
    return COMMON + f"""
bind_port = {PORT + index}
devices = {DEVICES}
mount_check = false
fallocate_reserve = 0
db_preallocation = off
node_timeout = 60
container_update_timeout = 60
[pipeline:main]
pipeline = {name}-server
[app:{name}-server]
use = egg:swift#{name}
"""


def write(name, text):
    with open(os.path.join(ETC, name), 'w') as file:
        file.write(text)


def configure():
    for folder in (ETC, LOGS, os.path.join(DEVICES, 'd1')):
        os.makedirs(folder, exist_ok=True)
    write('swift.conf', '[swift-hash]\nswift_hash_path_prefix = test\nswift_hash_path_suffix = test\n'
          '[storage-policy:0]\nname = default\ndefault = yes\n')
    write('proxy.conf', PROXY)
    from swift.common.ring import RingBuilder
    for index, name in enumerate(SERVERS, 1):
        write(f'{name}.conf', storage(index, name))
        ring = RingBuilder(4, 1, 0)  # 16 partitions, one copy, moved at once
        ring.add_dev(dict(region=1, zone=1, device='d1', weight=100, meta='', ip=HOST, port=PORT + index,
                          replication_ip=HOST, replication_port=PORT + index))
        ring.rebalance()
        ring.get_ring().save(os.path.join(ETC, f'{name}.ring.gz'))


def serve(name):
    """Runs one server in this process."""
    from swift.common import utils
    utils.set_swift_dir(ETC)
    from swift.common.wsgi import run_wsgi
    options = {}
    if name == 'object':
        from swift.obj.server import global_conf_callback
        options['global_conf_callback'] = global_conf_callback
    return run_wsgi(os.path.join(ETC, f'{name}.conf'), f'{name}-server', verbose=True, **options)


def start(name, command):
    with open(os.path.join(LOGS, name), 'ab') as log:
        # In its own session, because on SIGTERM, a Swift server ends its whole process group.
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


def answers():
    try:
        for port in range(PORT, PORT + 5):
            socket.create_connection((HOST, port), 1).close()
        urllib.request.urlopen(f'http://{HOST}:{PORT}/healthcheck', timeout=1).read()
        return True
    except OSError:
        return False


def main():
    configure()
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    children = [start(name, [sys.executable, __file__, ROOT, str(PORT), name]) for name in (*SERVERS, 'proxy')]
    memcached = ['/usr/bin/memcached', '-l', HOST, '-p', str(PORT + 4), '-U', '0', '-m', '16', '-t', '1']
    # memcached does not run as root.
    children.append(start('memcached', memcached + (['-u', 'nobody'] if USER == 'root' else [])))
    ready = False
    while not ended.wait(0.05 if not ready else 0.5):
        if any(child.poll() is not None for child in children):
            print('a server exited: see the logs', file=sys.stderr)
            break
        if not ready and answers():
            ready = True
            print('ready', flush=True)
    for child in children:
        child.terminate()
    for child in children:
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
    return 0 if ended.is_set() else 1


sys.exit(serve(sys.argv[3]) if len(sys.argv) > 3 else main())
