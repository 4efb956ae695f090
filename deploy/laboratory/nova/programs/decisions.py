"""
How long select_destinations takes, as a conductor of nova asks: decisions.py CONFIG ROUNDS MADE_UP HOST...

Each round asks every scheduler (HOST, which reads the queue scheduler.HOST) once, the first in turn one further each time.
MADE_UP compute nodes are added first, to nova's databases and to placement.
"""
import concurrent.futures
import datetime
import pathlib
import statistics
import sys
import time
import uuid

CONFIG, ROUNDS, MADE_UP, SCHEDULERS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent / 'lib')

import sqlalchemy  # noqa: E402
from nova import config, context, objects  # noqa: E402
from nova.conf import CONF  # noqa: E402
from nova.scheduler import rpcapi  # noqa: E402

import cloud  # noqa: E402

COPIED = ('vcpus', 'memory_mb', 'local_gb', 'vcpus_used', 'memory_mb_used', 'local_gb_used', 'hypervisor_type',
          'hypervisor_version', 'cpu_info', 'free_ram_mb', 'free_disk_gb', 'disk_available_least', 'current_workload',
          'running_vms', 'supported_hv_specs', 'stats', 'host_ip', 'cpu_allocation_ratio', 'ram_allocation_ratio',
          'disk_allocation_ratio')
INVENTORY = {'VCPU': {'total': 16, 'allocation_ratio': 4.0}, 'MEMORY_MB': {'total': 65536, 'reserved': 512},
             'DISK_GB': {'total': 1000}}


def add_hosts(admin, ctxt):
    cell = next(one for one in objects.CellMappingList.get_all(ctxt) if not one.is_cell0())
    with context.target_cell(ctxt, cell) as inside:
        nodes = objects.ComputeNodeList.get_all(inside)
        there = {node.host for node in nodes}

        def add(name):
            node = objects.ComputeNode(inside, host=name, hypervisor_hostname=name, uuid=str(uuid.uuid4()))
            for field in COPIED:
                setattr(node, field, getattr(nodes[0], field))
            node.create()
            objects.Service(inside, host=name, binary='nova-compute', topic='compute', report_count=1,
                            last_seen_up=datetime.datetime.now(datetime.timezone.utc)).create()
            objects.HostMapping(ctxt, host=name, cell_mapping=cell).create()
            return node.uuid, name

        made = [add(name) for name in ('made-up-%04d' % number for number in range(MADE_UP)) if name not in there]

    def provide(host):
        admin.demand('placement', 'POST', '/resource_providers', {'uuid': host[0], 'name': host[1]})
        admin.demand('placement', 'PUT', '/resource_providers/%s/inventories' % host[0], {
            'resource_provider_generation': 0, 'inventories': INVENTORY})

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(provide, made))


def spec(instance):
    return objects.RequestSpec(
        instance_uuid=instance, num_instances=1, project_id='b' * 32, user_id='a' * 32, availability_zone=None,
        image=objects.ImageMeta(id=cloud.IMAGE, name='image', status='active', container_format='bare', disk_format='raw',
                                min_ram=0, min_disk=0, size=1048576, properties=objects.ImageMetaProps()),
        flavor=objects.Flavor(id=1, name='small', flavorid='1', vcpus=1, memory_mb=1024, root_gb=10, ephemeral_gb=0, swap=0,
                              rxtx_factor=1.0, vcpu_weight=0, disabled=False, is_public=True, extra_specs={}),
        numa_topology=None, pci_requests=objects.InstancePCIRequests(requests=[]), ignore_hosts=None, force_hosts=None,
        force_nodes=None, requested_destination=None, retry=None, instance_group=None, scheduler_hints={}, is_bfv=False,
        limits=objects.SchedulerLimits(numa_topology=None, vcpu=None, disk_gb=None, memory_mb=None),
        requested_resources=[], request_level_params=objects.RequestLevelParams(), security_groups=objects.SecurityGroupList(
            objects=[]), requested_networks=objects.NetworkRequestList(objects=[]))


def decide(admin, client, scheduler):
    """Seconds; what was claimed is released afterwards."""
    instance = str(uuid.uuid4())
    ctxt = context.RequestContext(user_id='a' * 32, project_id='b' * 32, is_admin=True)
    call = client.prepare(server=scheduler, version='4.5', timeout=300, call_monitor_timeout=60)
    begin = time.monotonic()
    chosen = call.call(ctxt, 'select_destinations', spec_obj=spec(instance), instance_uuids=[instance],
                       return_objects=True, return_alternates=True)
    took = time.monotonic() - begin
    if len(chosen[0]) < 2:
        raise SystemExit('%s chose %s' % (scheduler, chosen))
    admin.demand('placement', 'DELETE', '/allocations/' + instance)
    return took


def main():
    config.parse_args(['decisions', '--config-file', CONFIG])
    objects.register_all()
    admin, ctxt = cloud.Cloud(), context.get_admin_context()
    if MADE_UP:
        add_hosts(admin, ctxt)
    cell = sqlalchemy.create_engine(CONF.database.connection)
    client = rpcapi.SchedulerAPI().client
    took = {scheduler: [] for scheduler in SCHEDULERS}
    for number in range(-3, ROUNDS):
        # Made-up hosts have no compute that reports.
        with cell.begin() as connection:
            connection.execute(sqlalchemy.text("UPDATE services SET last_seen_up = :now WHERE host LIKE 'made-up-%'"),
                               {'now': datetime.datetime.utcnow()})
        for place in range(len(SCHEDULERS)):
            scheduler = SCHEDULERS[(number + place) % len(SCHEDULERS)]
            seconds = decide(admin, client, scheduler)
            # The first ones warm up.
            if number >= 0:
                took[scheduler].append(seconds)
    hosts = len(admin.providers())
    for scheduler, seconds in took.items():
        print('%d hosts, %s: median %.1f ms, 90th of 100 %.1f ms, %d decisions' % (
            hosts, scheduler, 1000 * statistics.median(seconds), 1000 * statistics.quantiles(seconds, n=10)[-1], len(seconds)))
    first = SCHEDULERS[0]
    for other in SCHEDULERS[1:]:
        ratios = sorted(theirs / ours for ours, theirs in zip(took[first], took[other]))
        print('%d hosts, %s / %s by rounds: median %.2f, between %.2f and %.2f' % (
            hosts, other, first, statistics.median(ratios), ratios[0], ratios[-1]))


main()
